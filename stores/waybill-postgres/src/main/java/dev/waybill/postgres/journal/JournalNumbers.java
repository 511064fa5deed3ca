package dev.waybill.postgres.journal;

import dev.waybill.jdbc.kernel.SeqRange;
import dev.waybill.jdbc.kernel.TimeBisection;
import java.sql.SQLException;
import java.util.Optional;

/** The seqs of a journal's events, with their times. */
public record JournalNumbers(JournalConnection connection) implements SeqRange.Numbered {
    private static final String ENDS = "select min(seq), max(seq) from waybill.event";

    private static final String NEXT_EVENT =
            "select seq, created_at from waybill.event where seq > ? and seq <= ? order by seq limit 1";

    @Override
    public SeqRange all() throws SQLException {
        return connection.one(ENDS, row -> new SeqRange(row.getLong(1), row.getLong(2) + 1));
    }

    @Override
    public Optional<TimeBisection.Found> event(long above, long upTo) throws SQLException {
        return connection.first(
                NEXT_EVENT,
                row -> new TimeBisection.Found(
                        row.getLong(1), row.getTimestamp(2).toInstant()),
                above,
                upTo);
    }
}
