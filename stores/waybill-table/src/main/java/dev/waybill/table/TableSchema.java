package dev.waybill.table;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.jdbc.kernel.PostgresEncoding;
import dev.waybill.jdbc.kernel.SchemaLockSql;
import dev.waybill.jdbc.layout.LayoutCheck;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.rows.SideVersion;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Creates the table of a layout and its side tables, or prints the statements for Flyway or Liquibase. An existing table is not
 * altered.
 */
public final class TableSchema {
    private static final String VERSIONS = "select version from {schema_version} where 1 = 0";

    private static final int MAX_ATTEMPTS = 60;
    private static final Set<String> NO_SUCH_TABLE = Set.of("42P01", "3F000", "42S02", "42S03", "42S04");

    /**
     * What {@link #create} did.
     *
     * @param table whether it created the layout's table
     * @param sideTables whether it created the side tables
     */
    public record Created(boolean table, boolean sideTables) {
        /** A sentence for an operator. */
        public String inWords(TableLayout layout) {
            return "the table " + layout.tableName()
                    + (table ? " was created" : " already existed and matches the layout " + layout.name())
                    + (sideTables ? "; its side tables were created" : "; its side tables already existed");
        }
    }

    private TableSchema() {}

    /**
     * Creates what is missing of the layout's table and the side tables. An existing table is not altered, but must have the
     * layout's columns. Several processes may call this at once.
     *
     * @param connection of a role that may create tables; preferably in autocommit, since MariaDB commits at every such
     *     statement
     */
    public static Created create(Connection connection, TableLayout layout) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        LayoutCheck.requireZone(layout, dialect);
        if (dialect == TableDialect.POSTGRESQL) {
            PostgresEncoding.require(connection, "the table " + layout.tableName());
        }
        return connection.getAutoCommit()
                ? createBriefly(connection, layout, dialect)
                : create(connection, layout, dialect, false);
    }

    /**
     * Asks for locks with a short timeout, again and again, so that running relays do not queue behind a lock request.
     */
    private static Created createBriefly(Connection connection, TableLayout layout, TableDialect dialect)
            throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return OwnTransaction.on(connection, () -> create(connection, layout, dialect, true));
            } catch (SQLException e) {
                if (!SchemaLockSql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw e;
                }
                if (attempt == MAX_ATTEMPTS) {
                    throw new SQLException(
                            "The side tables of " + layout.tableName()
                                    + " were locked by long transactions for "
                                    + MAX_ATTEMPTS
                                    + " attempts: end them (pg_stat_activity), or try again. Nothing was"
                                    + " changed.",
                            e.getSQLState(),
                            e);
                }
                execute(connection, List.of(SchemaLockSql.PAUSE));
            }
        }
    }

    private static Created create(Connection connection, TableLayout layout, TableDialect dialect, boolean own)
            throws SQLException {
        LayoutNames names = new LayoutNames(layout, dialect);
        if (own) {
            execute(connection, dialect.sql().lockSchema());
        }
        boolean table = !exists(connection, names.in(LayoutCheck.TABLE));
        if (table) {
            execute(connection, new LayoutDdlSql(layout, dialect).statements());
        } else {
            LayoutCheck.require(connection, layout);
        }
        boolean sideTables = !exists(connection, names.in(VERSIONS));
        if (!sideTables) {
            requireKnownVersion(connection, names);
        }
        execute(connection, sideTables(layout, dialect));
        return new Created(table, sideTables);
    }

    private static void requireKnownVersion(Connection connection, LayoutNames names) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(names.in(SideVersion.FIND))) {
            row.next();
            if (row.getInt(1) != SideVersion.CURRENT) {
                throw new SQLException("The side tables of " + names.in("{table}") + " have version "
                        + row.getInt(1) + ", this Waybill needs " + SideVersion.CURRENT + ". "
                        + SideVersion.remedy(row.getInt(1)));
            }
        }
    }

    /** The statements that {@link #create} runs on an empty schema. */
    public static String script(TableLayout layout, TableDialect dialect) {
        LayoutCheck.requireZone(layout, dialect);
        List<String> statements = new ArrayList<>(new LayoutDdlSql(layout, dialect).statements());
        statements.addAll(sideTables(layout, dialect));
        return String.join(";\n\n", statements) + ";\n";
    }

    /** The statements for the side tables only. */
    public static String sideScript(TableLayout layout, TableDialect dialect) {
        return String.join(";\n\n", sideTables(layout, dialect)) + ";\n";
    }

    /** Grants the roles the privileges they need. Can be repeated. Not for H2. */
    public static void grant(Connection connection, TableLayout layout, DatabaseRoles roles) throws SQLException {
        execute(connection, TableGrantsSql.of(layout, TableDialect.of(connection), roles));
    }

    /** The statements of {@link #grant}. */
    public static String grants(TableLayout layout, TableDialect dialect, DatabaseRoles roles) {
        return TableGrantsSql.of(layout, dialect, roles).stream()
                .map(statement -> statement + ";\n")
                .collect(Collectors.joining());
    }

    private static List<String> sideTables(TableLayout layout, TableDialect dialect) {
        LayoutNames names = new LayoutNames(layout, dialect);
        List<String> statements = new ArrayList<>();
        SideTableSql.create(dialect)
                .forEach(statement -> statements.add(names.in(dialect.sql().withExactText(statement))));
        statements.add(names.in(dialect.sql().recordVersion().formatted(SideVersion.CURRENT)));
        return statements;
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Reads from the table, so that its name is resolved as in every other statement. */
    private static boolean exists(Connection connection, String readNothing) throws SQLException {
        var before = connection.setSavepoint();
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery(readNothing).close();
            return true;
        } catch (SQLException e) {
            connection.rollback(before);
            if (NO_SUCH_TABLE.contains(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }
}
