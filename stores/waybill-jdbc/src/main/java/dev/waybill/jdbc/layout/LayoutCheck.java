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

    private LayoutCheck() {}

    /**
     * @throws IllegalArgumentException if a column is missing, has another type, or has a type with which a relay cannot find its
     *     rows again; the message lists all problems
     * @throws SQLException if the table cannot be read
     */
    public static void require(Connection connection, TableLayout layout) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        requireZone(layout, dialect);
        Map<String, String> types = types(connection, new LayoutNames(layout, dialect), dialect);
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
                    + layout.name() + ": " + String.join("; ", wrong) + ".");
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
                    + ", which Waybill can only do on PostgreSQL: keep UTC (timesIn(ZoneOffset.UTC)) or instants"
                    + " (timesAreInstants()).");
        }
    }

    private static Map<String, String> types(Connection connection, LayoutNames names, TableDialect dialect)
            throws SQLException {
        Map<String, String> types = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet nothing = statement.executeQuery(names.in(TABLE))) {
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
            case ID -> id(layout.idKind(), "idKind", type);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), "aggregateIdKind", type);
            case CREATED_AT, PUBLISHED_AT, NEXT_ATTEMPT_AT, ERROR_AT, LOCKED_UNTIL -> time(layout, type, dialect);
            default -> Optional.empty();
        };
    }

    private static Optional<String> id(TableLayout.IdKind says, String setting, String type) {
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
        // A UUID fits into text, which is common on MariaDB.
        boolean fits = is == says || (is == TableLayout.IdKind.TEXT && says == TableLayout.IdKind.UUID);
        return fits ? Optional.empty() : Optional.of(" is " + type + " (use " + setting + "(" + is + "))");
    }

    private static Optional<String> time(TableLayout layout, String type, TableDialect dialect) {
        boolean instants = switch (dialect) {
            case POSTGRESQL -> type.equals("timestamptz");
            case MARIADB -> type.equals("timestamp");
            case H2 -> type.endsWith(" time zone");
        };
        if (instants == layout.zone().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                instants
                        ? " is " + type + ", which holds instants (use timesAreInstants())"
                        : " is " + type + ", which has no zone (use timesIn(ZoneOffset.UTC), or the zone it is in)");
    }
}
