package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.SeqRange;
import dev.waybill.jdbc.kernel.TimeBisection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** The range of numbers in a table with a sequence. */
public final class TableNumbers implements SeqRange.Numbered {
    private static final String ENDS = "select min({sequence}), max({sequence}) from {table}";

    private static final String NEXT_EVENT = """
            select {sequence}, {created_at} from {table} where {sequence} > ? and {sequence} <= ?
             order by {sequence} limit 1""";

    private final TableConnection connection;

    public TableNumbers(TableConnection connection) {
        this.connection = connection;
    }

    @Override
    public SeqRange all() throws SQLException {
        return connection.one(ENDS, row -> new SeqRange(row.getLong(1), row.getLong(2) + 1));
    }

    @Override
    public Optional<TimeBisection.Found> event(long above, long upTo) throws SQLException {
        return connection.first(
                NEXT_EVENT,
                row -> new TimeBisection.Found(
                        row.getLong(1),
                        Objects.requireNonNullElse(connection.times().read(row, 2), Instant.EPOCH)),
                above,
                upTo);
    }
}
