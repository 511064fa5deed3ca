package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.UnreadableRow;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads a page again after its statement failed because of a row: its bytes have no equivalent in UTF-8, its stored value is
 * damaged, or a value cannot be decoded. The result has the events before that row, or that row alone without the columns that
 * fail. So the row becomes dead with the reason, and the other events continue.
 */
final class UnreadablePage {
    private static final String ROWS = """
            select e.* from unnest(?::bigint[]) with ordinality x (seq, at)
             cross join lateral (select %s from waybill.event e where e.seq = x.seq limit 1) e
             order by x.at""".formatted(EventPage.COLUMNS);

    private static final String COLUMN = "select %s from waybill.event e where e.seq = ?";

    /** Bytes in the encoding of the database: equal for all events of a key. */
    private static final String RAW = "convert_to(e.%s, getdatabaseencoding())";

    /** Values that are larger in the table are not fetched, only to find out which one is damaged. */
    private static final String UNLESS_LARGE = "case when pg_column_size(e.%1$s) <= 1000000 then e.%1$s end";

    private static final List<String> TEXTS = List.of("type", "aggregate_type", "aggregate_id", "topic", "key");
    private static final List<String> FIXED = List.of("id", "version", "aggregate_version", "created_at");
    private static final List<String> LARGE = List.of("payload", "payload_bytes", "content_type", "headers");

    private final JournalConnection connection;
    private SQLException failure;

    /** @throws SQLException the failure, if it is not about a row */
    UnreadablePage(JournalConnection connection, SQLException failure) throws SQLException {
        this.connection = connection;
        this.failure = UnreadableRow.require(failure);
    }

    /** @param seqs the statement of the page, which returns only seqs, and attempts */
    EventPage read(PreparedStatement seqs, Limits max, EventPage.Attempts attempts) throws SQLException {
        Map<Long, Integer> page = new LinkedHashMap<>();
        try (ResultSet row = seqs.executeQuery()) {
            while (row.next()) {
                EventPage.Halt halt = EventPage.halt(row);
                if (halt != EventPage.Halt.NONE) {
                    return new EventPage(List.of(), 0, false, halt);
                }
                page.put(row.getLong(1), attempts.of(row));
            }
        }
        List<Long> wanted = new ArrayList<>(page.keySet());
        Optional<EventPage> read = Optional.empty();
        while (read.isEmpty() && !wanted.isEmpty()) {
            read = rows(wanted, page, max);
            if (read.isEmpty() && wanted.size() == 1) {
                long seq = wanted.get(0);
                return page(List.of(damaged(seq, Objects.requireNonNull(page.get(seq)))), wanted);
            }
            wanted = wanted.subList(0, wanted.size() / 2);
        }
        return read.orElseGet(() -> new EventPage(List.of(), 0, false, EventPage.Halt.NONE));
    }

    /** @return empty if one of them cannot be read */
    private Optional<EventPage> rows(List<Long> seqs, Map<Long, Integer> attempts, Limits max) throws SQLException {
        try {
            PreparedStatement statement = connection.prepare(ROWS);
            statement.setArray(1, connection.array("bigint", seqs.toArray()));
            EventPage read = EventPage.read(
                    connection, statement, max, row -> Objects.requireNonNull(attempts.get(row.getLong(1))));
            return Optional.of(read.cut() ? read : page(read.rows(), seqs));
        } catch (SQLException e) {
            failure = UnreadableRow.require(e);
            return Optional.empty();
        }
    }

    /** Ends with the last of these seqs, although more may follow. */
    private static EventPage page(List<JournalRow> rows, List<Long> seqs) {
        return new EventPage(rows, seqs.get(seqs.size() - 1), true, EventPage.Halt.NONE);
    }

    private JournalRow damaged(long seq, int attempts) throws SQLException {
        Map<String, byte[]> values = new HashMap<>();
        List<String> failed = new ArrayList<>();
        for (String column : TEXTS) {
            if (!reads(seq, column, "e." + column, values)) {
                failed.add(column);
                reads(seq, column, RAW.formatted(column), values);
            }
        }
        for (String column : FIXED) {
            if (!reads(seq, column, "e." + column, values)) {
                failed.add(column);
            }
        }
        for (String column : LARGE) {
            if (!reads(seq, column, UNLESS_LARGE.formatted(column), new HashMap<>())) {
                failed.add(column);
            }
        }
        String reason = UnreadableRow.reason("The row with seq " + seq + " of waybill.event", failed, failure);
        return JournalRow.damaged(seq, attempts, values, reason);
    }

    /** @return false if it cannot be read */
    private boolean reads(long seq, String column, String expression, Map<String, byte[]> values) throws SQLException {
        try {
            connection
                    .first(COLUMN.formatted(expression), row -> row.getBytes(1), seq)
                    .ifPresent(value -> values.put(column, value));
            return true;
        } catch (SQLException e) {
            UnreadableRow.require(e);
            return false;
        }
    }
}
