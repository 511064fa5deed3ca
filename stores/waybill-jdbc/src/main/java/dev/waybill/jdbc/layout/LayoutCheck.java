package dev.waybill.jdbc.layout;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks whether a table matches its layout. */
public final class LayoutCheck {
    /** Reads the columns without rows. */
    public static final String TABLE = "select * from {table} where 1 = 0";

    private static final String NO_SUCH_COLUMN = "42S22";

    private LayoutCheck() {}

    /**
     * @throws IllegalArgumentException if a column is missing, has another type, or has a type with which a relay cannot find its
     *     rows again; the message lists all problems
     * @throws SQLException if the table cannot be read
     */
    public static void require(Connection connection, TableLayout written) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        TableLayout layout = KnownTimes.of(connection, written).orElse(written);
        requireZone(layout, dialect);
        LayoutNames names = new LayoutNames(layout, dialect);
        Map<String, String> types = types(connection, names.in(TABLE), dialect);
        if (dialect == TableDialect.MARIADB) {
            addInvisible(connection, layout, names, types);
        }
        List<String> wrong = new ArrayList<>();
        layout.columns().forEach((column, name) -> {
            @Nullable String type = types.get(fold(name, dialect));
            if (type == null) {
                wrong.add("it has no column " + name + " for the " + column.words());
            } else {
                complaint(layout, column, type, dialect).ifPresent(text -> wrong.add("its column " + name + text));
            }
        });
        if (wrong.isEmpty()) {
            PaddedColumns padded = PaddedColumns.of(connection, layout);
            if (!padded.found().isEmpty()) {
                wrong.add(String.join("; ", padded.found()) + " (run: " + padded.remedy() + ")");
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("The table " + layout.tableName() + " does not match the layout "
                    + layout.name() + ": " + String.join("; ", wrong));
        }
    }

    /** Only PostgreSQL can compute the time of any zone without time zone tables that must be loaded first. */
    public static void requireZone(TableLayout layout, TableDialect dialect) {
        boolean utc = layout.zone()
                .map(zone -> zone.normalized().equals(ZoneOffset.UTC))
                .orElse(true);
        if (!utc && dialect != TableDialect.POSTGRESQL) {
            throw new IllegalArgumentException("The layout " + layout.name() + " keeps times of the zone "
                    + layout.zone().orElseThrow()
                    + ", which Waybill can only do on PostgreSQL: keep UTC ("
                    + layout.settingNamed("times-in: UTC", "timesIn(ZoneOffset.UTC)")
                    + "), or use columns of a type that holds instants.");
        }
    }

    /** An asterisk leaves out MariaDB's invisible columns, so columns that it does not show are read by name. */
    private static void addInvisible(
            Connection connection, TableLayout layout, LayoutNames names, Map<String, String> types)
            throws SQLException {
        for (String column : layout.columns().values()) {
            if (!types.containsKey(fold(column, TableDialect.MARIADB))) {
                String byName = names.in(TABLE).replace("*", TableDialect.MARIADB.quote(column));
                try {
                    types.putAll(types(connection, byName, TableDialect.MARIADB));
                } catch (SQLException e) {
                    if (!NO_SUCH_COLUMN.equals(e.getSQLState())) {
                        throw e;
                    }
                }
            }
        }
    }

    private static Map<String, String> types(Connection connection, String query, TableDialect dialect)
            throws SQLException {
        Map<String, String> types = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet nothing = statement.executeQuery(query)) {
            ResultSetMetaData columns = nothing.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                types.put(
                        fold(columns.getColumnName(i), dialect),
                        columns.getColumnTypeName(i).toLowerCase(Locale.ROOT));
            }
        }
        return types;
    }

    private static String fold(String name, TableDialect dialect) {
        return dialect == TableDialect.POSTGRESQL ? name : name.toLowerCase(Locale.ROOT);
    }

    private static Optional<String> complaint(
            TableLayout layout, TableColumn column, String type, TableDialect dialect) {
        return switch (column) {
            case ID -> id(layout, layout.idKind(), column, type, dialect);
            case AGGREGATE_ID -> id(layout, layout.aggregateIdKind(), column, type, dialect);
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL ->
                time(layout, column, type, dialect);
            default -> Optional.empty();
        };
    }

    private static Optional<String> id(
            TableLayout layout, TableLayout.IdKind says, TableColumn column, String type, TableDialect dialect) {
        TableLayout.IdKind is;
        if (type.contains("char") || type.contains("text") || type.contains("clob")) {
            is = TableLayout.IdKind.TEXT;
        } else if (type.equals("uuid")) {
            is = TableLayout.IdKind.UUID;
        } else if (type.contains("int") || type.contains("serial") || type.equals("numeric")) {
            is = TableLayout.IdKind.NUMBER;
        } else {
            return Optional.empty();
        }
        boolean row = column == TableColumn.ID;
        // A UUID fits into text, which is common on MariaDB. But PostgreSQL does not compare them, so rows are not
        // found again.
        boolean text = is == TableLayout.IdKind.TEXT && says == TableLayout.IdKind.UUID;
        if (is == says || (text && !(row && dialect == TableDialect.POSTGRESQL))) {
            return Optional.empty();
        }
        String kind = is.name();
        return Optional.of(" is " + type + " ("
                + layout.settingNamed(
                        "set " + (row ? "id-kind: " : "aggregate-id-kind: ") + kind.toLowerCase(Locale.ROOT),
                        "use " + (row ? "idKind(" : "aggregateIdKind(") + kind + ")")
                + ")");
    }

    private static Optional<String> time(TableLayout layout, TableColumn column, String type, TableDialect dialect) {
        boolean instants = switch (dialect) {
            case POSTGRESQL -> type.equals("timestamptz");
            case MARIADB -> type.equals("timestamp");
            case H2 -> type.endsWith(" time zone");
        };
        if (instants == layout.zone().isEmpty()) {
            return Optional.empty();
        }
        if (instants) {
            return Optional.of(" is " + type
                    + ", which holds instants, unlike the column of the creation time (give both" + " the same type)");
        }
        return Optional.of(" is " + type + ", which has no zone ("
                + (column == TableColumn.CREATED_AT
                        ? KnownTimes.remedy(layout)
                        : KnownTimes.remedy(layout) + "; or give all time columns a type that holds instants")
                + ")");
    }
}
