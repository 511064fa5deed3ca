package dev.waybill.table;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.jdbc.kernel.SchemaLockSql;
import dev.waybill.jdbc.layout.LayoutCheck;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A layout's table, and the tables Waybill keeps beside it: created by {@link #create}, or printed for those who keep their
 * schema with Flyway or Liquibase. A table that is there is left as it is.
 */
public final class TableSchema {
    static final String NEWEST_VERSION = "select max(version) from {schema_version}";

    private static final String VERSIONS = "select version from {schema_version} where 1 = 0";

    /** Of the tables beside the layout's. In version 1 they had other keys, and other hashes of the keys of events. */
    static final int VERSION = 2;

    private static final int MOST_ATTEMPTS = 60;
    private static final Set<String> NO_SUCH_TABLE = Set.of("42P01", "3F000", "42S02", "42S03", "42S04");

    /**
     * What {@link #create} did.
     *
     * @param table whether it created the layout's table
     * @param sideTables whether it created the tables beside it
     */
    public record Created(boolean table, boolean sideTables) {
        /** For a person. */
        public String inWords(TableLayout layout) {
            return "the table " + layout.tableName()
                    + (table ? " is ready" : " was there, and fits the layout " + layout.name())
                    + (sideTables ? "; the tables beside it are ready" : "; the tables beside it were there");
        }
    }

    private TableSchema() {}

    /**
     * Creates what is missing of the layout's table and the tables beside it. A table that is there is not altered, but checked:
     * it must have the layout's columns. Several processes may call it at once.
     *
     * @param connection of a role that may create tables; best in autocommit, since MariaDB commits at every statement of this
     *     kind
     */
    public static Created create(Connection connection, TableLayout layout) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        LayoutCheck.requireZone(layout, dialect);
        return connection.getAutoCommit()
                ? createBriefly(connection, layout, dialect)
                : create(connection, layout, dialect, false);
    }

    /** A relay that runs must not wait behind a lock that is asked for here, so it is asked for again and again. */
    private static Created createBriefly(Connection connection, TableLayout layout, TableDialect dialect)
            throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return OwnTransaction.on(connection, () -> create(connection, layout, dialect, true));
            } catch (SQLException e) {
                if (!SchemaLockSql.LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                    throw e;
                }
                if (attempt == MOST_ATTEMPTS) {
                    throw new SQLException(
                            "The tables of Waybill beside " + layout.tableName()
                                    + " were in use by long transactions for "
                                    + MOST_ATTEMPTS
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
                ResultSet row = statement.executeQuery(names.in(NEWEST_VERSION))) {
            row.next();
            if (row.getInt(1) != VERSION) {
                throw new SQLException("The tables of Waybill beside " + names.in("{table}") + " have version "
                        + row.getInt(1) + ", this Waybill knows " + VERSION + ". " + remedy(row.getInt(1)));
            }
        }
    }

    /** What to do about tables of another version. */
    static String remedy(int version) {
        return version > VERSION
                ? "Use a Waybill at least as new as the one that made them."
                : "Once nothing waits and no relay runs, drop waybill_claim, waybill_relay, waybill_replay,"
                        + " waybill_audit and waybill_schema_version, and run waybill init --layout.";
    }

    /** Everything {@link #create} would run where nothing is there yet. */
    public static String script(TableLayout layout, TableDialect dialect) {
        LayoutCheck.requireZone(layout, dialect);
        List<String> statements = new ArrayList<>(new LayoutDdlSql(layout, dialect).statements());
        statements.addAll(sideTables(layout, dialect));
        return String.join(";\n\n", statements) + ";\n";
    }

    /** Only the tables beside the layout's, for a table that is there already. */
    public static String sideScript(TableLayout layout, TableDialect dialect) {
        return String.join(";\n\n", sideTables(layout, dialect)) + ";\n";
    }

    /** Gives the roles what they need of the tables, and no more; running it again changes nothing. Not on H2. */
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
        statements.add(names.in(dialect.sql().recordVersion().formatted(VERSION)));
        return statements;
    }

    private static void execute(Connection connection, List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Asks by reading: then the name means here what it means in every other statement. */
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
