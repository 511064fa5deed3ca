package dev.waybill.jdbc.layout;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Columns of PostgreSQL's {@code char(n)} among those that identify rows or keys. A shorter value has trailing spaces when it is
 * read, but none when PostgreSQL converts it to text. So a row would not be found again by its id, and rows behind a waiting one
 * would not be recognized by their key. MariaDB and H2 do not have this difference.
 */
public record PaddedColumns(List<String> found, List<String> remedies) {
    private static final String UNPAD_POSTGRESQL = "alter table {table} alter column {column} type {type}";

    private static final String COLUMNS = "select %s from {table} where 1 = 0";

    private static final List<TableColumn> TELLING =
            List.of(TableColumn.ID, TableColumn.KEY, TableColumn.AGGREGATE_TYPE, TableColumn.AGGREGATE_ID);

    /** PostgreSQL's own name of {@code char(n)}. */
    private static final String PADDED = "bpchar";

    /** Maximum length of a {@code varchar}. */
    private static final int LONGEST = 10_485_760;

    /** @throws SQLException also if the table does not exist */
    public static PaddedColumns of(Connection connection, TableLayout layout) throws SQLException {
        PaddedColumns padded = new PaddedColumns(new ArrayList<>(), new ArrayList<>());
        TableDialect dialect = TableDialect.of(connection);
        if (dialect != TableDialect.POSTGRESQL) {
            return padded;
        }
        List<TableColumn> telling = TELLING.stream()
                .filter(column -> layout.has(column) && kind(layout, column) == TableLayout.IdKind.TEXT)
                .toList();
        if (telling.isEmpty()) {
            return padded;
        }
        List<String> names = telling.stream()
                .map(column -> layout.column(column).orElseThrow())
                .toList();
        String columns = telling.stream()
                .map(column -> "{" + column.name().toLowerCase(Locale.ROOT) + "}")
                .collect(Collectors.joining(", "));
        Catalogue catalogue = Catalogue.of(connection, layout);
        try (Statement statement = connection.createStatement();
                ResultSet nothing =
                        statement.executeQuery(new LayoutNames(layout, dialect).in(COLUMNS.formatted(columns)))) {
            ResultSetMetaData types = nothing.getMetaData();
            for (int i = 1; i <= names.size(); i++) {
                if (types.getColumnTypeName(i).equals(PADDED)) {
                    int length = types.getPrecision(i);
                    String type = length <= LONGEST ? "varchar(" + length + ")" : "text";
                    padded.found.add("its column " + names.get(i - 1) + " is " + type.replace("varchar", "char")
                            + ", which PostgreSQL pads with spaces");
                    padded.remedies.add(catalogue.in(UNPAD_POSTGRESQL.replace("{type}", type), names.get(i - 1)));
                }
            }
        }
        return padded;
    }

    /** UUIDs all have the same length, so they are never padded. */
    private static TableLayout.IdKind kind(TableLayout layout, TableColumn column) {
        return switch (column) {
            case ID -> layout.idKind();
            case AGGREGATE_ID -> layout.aggregateIdKind();
            default -> TableLayout.IdKind.TEXT;
        };
    }

    /** The statements that correct the columns. */
    public String remedy() {
        return String.join("; ", remedies);
    }
}
