package dev.waybill.table.admin;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.CollationCheckup;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.TableConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Finds rows that no relay can see, and columns that treat different keys as equal. */
final class ColumnsCheckup {
    private static final String FILL_NULLS = "update {table} set {column} = {value} where {column} is null";

    private static final String FORBID_NULLS = "alter table {table} alter column {column} set not null";

    /** Nulls are counted up to this number. */
    private static final int COUNTED = 10_000;

    private static final int CHECKUP_TIMEOUT_SECONDS = 10;
    private static final int STATUS_TIMEOUT_SECONDS = 1;

    private final TableLayout layout;
    private final TableDialect dialect;
    private final Catalogue catalogue;

    ColumnsCheckup(Connection connection, TableLayout layout) throws SQLException {
        this.layout = layout;
        this.dialect = TableDialect.of(connection);
        this.catalogue = Catalogue.of(connection, layout);
    }

    ColumnsCheckup(TableConnection connection) throws SQLException {
        this.layout = connection.layout();
        this.dialect = connection.dialect();
        this.catalogue = connection.catalogue();
    }

    /** How many rows have a null in any such column, up to a limit; empty if counting takes too long. */
    OptionalLong hidden(int atMost) throws SQLException {
        List<String> nullable = new ArrayList<>();
        List<String> columns = new ArrayList<>(defaults().keySet());
        layout.column(TableColumn.SEQUENCE).ifPresent(columns::add);
        for (String column : columns) {
            if (catalogue.isNullable(column)) {
                nullable.add(column);
            }
        }
        return nullable.isEmpty() ? OptionalLong.of(0) : catalogue.anyNull(nullable, atMost, STATUS_TIMEOUT_SECONDS);
    }

    /** A comparison with null is neither true nor false, so such a row is not pending, published or dead. */
    Finding nulls() throws SQLException {
        List<String> found = new ArrayList<>();
        List<String> remedies = new ArrayList<>();
        for (Map.Entry<String, String> column : defaults().entrySet()) {
            String name = column.getKey();
            if (!catalogue.isNullable(name)) {
                continue;
            }
            long rows = catalogue.nulls(name, COUNTED + 1, CHECKUP_TIMEOUT_SECONDS);
            if (rows > 0) {
                found.add((rows > COUNTED ? "more than " + COUNTED : rows) + " rows have no " + name);
                remedies.add(catalogue.in(FILL_NULLS.replace("{value}", column.getValue()), name));
                if (dialect != TableDialect.MARIADB) {
                    remedies.add(catalogue.in(FORBID_NULLS, name));
                }
            }
        }
        Optional<Finding> unnumbered = unnumbered();
        if (unnumbered.isPresent()) {
            return unnumbered.get();
        }
        return found.isEmpty()
                ? Finding.fine("nulls", "no row is hidden by a null")
                : Finding.problem(
                        "nulls",
                        String.join(", ", found) + ": no relay publishes them, and they are not counted",
                        "Declare the column NOT NULL with a default, and run: " + String.join("; ", remedies));
    }

    /** A unique index allows any number of nulls. */
    private Optional<Finding> unnumbered() throws SQLException {
        @Nullable String sequence = layout.column(TableColumn.SEQUENCE).orElse(null);
        if (sequence == null || !catalogue.isNullable(sequence)) {
            return Optional.empty();
        }
        long rows = catalogue.nulls(sequence, COUNTED + 1, CHECKUP_TIMEOUT_SECONDS);
        return rows == 0
                ? Optional.empty()
                : Optional.of(Finding.problem(
                        "nulls",
                        (rows > COUNTED ? "more than " + COUNTED : rows) + " rows have no " + sequence
                                + ": no relay publishes them, and they are not counted",
                        "Give each of them a unique number, and declare the column NOT NULL."));
    }

    /** Columns that conditions use, each with the value of a row that was inserted without it. */
    private Map<String, String> defaults() {
        Map<String, String> defaults = new LinkedHashMap<>();
        if (layout.state() instanceof TableState.Words words) {
            put(defaults, TableColumn.STATE, "'" + words.pending() + "'");
        } else if (layout.state() instanceof TableState.Flag) {
            put(defaults, TableColumn.STATE, "false");
        }
        put(defaults, TableColumn.ATTEMPTS, "0");
        put(defaults, TableColumn.CREATED_AT, dialect.sql().defaultTime(layout));
        return defaults;
    }

    private void put(Map<String, String> defaults, TableColumn column, String value) {
        layout.column(column).ifPresent(name -> defaults.put(name, value));
    }

    /** Only texts can be too long for the side table. */
    Finding ids(boolean competing) throws SQLException {
        String column = layout.column(TableColumn.ID).orElseThrow();
        boolean bounded = layout.idKind() != TableLayout.IdKind.TEXT
                || catalogue.textLength(column).orElse(Integer.MAX_VALUE) <= SideRow.LONGEST_ID;
        OptionalLong found = bounded
                ? OptionalLong.of(0)
                : catalogue.longer(column, SideRow.LONGEST_ID, COUNTED + 1, CHECKUP_TIMEOUT_SECONDS);
        if (found.orElse(0) == 0) {
            return Finding.fine("ids", "no id is too long for the side tables");
        }
        String rows = (found.getAsLong() > COUNTED ? "more than " + COUNTED : found.getAsLong())
                + " rows have more than " + SideRow.LONGEST_ID + " characters in " + column;
        return competing
                ? Finding.problem(
                        "ids",
                        rows + ": no competing relay sends them",
                        "Shorten the ids, or read the table in order (competing: false).")
                : Finding.warning(
                        "ids",
                        rows + ": such a row is not retried, but dead when it fails, and a guard may not record it",
                        "Shorten the ids.");
    }

    Finding collation() throws SQLException {
        List<String> names = new ArrayList<>();
        for (TableColumn column : List.of(TableColumn.ID, TableColumn.AGGREGATE_ID, TableColumn.KEY)) {
            layout.column(column).ifPresent(names::add);
        }
        Finding found = CollationCheckup.of(catalogue, dialect, names);
        return found.severity() == Finding.Severity.FINE
                ? found
                : Finding.warning(
                        found.subject(),
                        found.what()
                                + ". Relays keep them apart, but an event whose id is equal to another one cannot be"
                                + " appended",
                        found.remedy());
    }
}
