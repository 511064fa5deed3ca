package dev.waybill.table;

import dev.waybill.jdbc.kernel.SeqRange;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** The numbers of a table that has a sequence. */
final class TableNumbers implements SeqRange.Numbered {
    private static final String ENDS = "select min({sequence}), max({sequence}) from {table}";

    private static final String CREATED_FROM = """
            select {sequence}, {created_at} from {table} where {sequence} >= ? order by {sequence} limit 1""";

    private final TableConnection connection;

    TableNumbers(TableConnection connection) {
        this.connection = connection;
    }

    @Override
    public SeqRange all() throws SQLException {
        return connection.one(ENDS, row -> new SeqRange(row.getLong(1), row.getLong(2) + 1));
    }

    @Override
    public Optional<SeqRange.Event> firstFrom(long seq) throws SQLException {
        return connection.first(CREATED_FROM, row -> new SeqRange.Event( row.getLong(1), Objects.requireNonNullElse(connection.times().read(row, 2), Instant.EPOCH)), seq);
    }
}
