package dev.waybill.postgres.relay;

import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Events that one statement returned, within the limits.
 *
 * @param lastSeq seq of the last event read, even if it was deleted meanwhile
 * @param cut whether the statement may have more events
 * @param halt why it has none, if the relay may not read
 */
record EventPage(List<JournalRow> rows, long lastSeq, boolean cut, Halt halt) {
    /** Whether the relay may read, as the statement saw it. */
    enum Halt {
        NONE,
        /** An operator paused it. */
        PAUSED,
        /** Another session has taken it over, or it was dropped. */
        LEASE_LOST
    }

    /** Checks the stored size first: only a compressed value must be fetched to measure it. */
    private static final String PAYLOAD_IS_LARGE = """
            (pg_column_size(e.payload) > 16384
                or (pg_column_compression(e.payload) is not null and octet_length(e.payload::text) > 16384))""";

    /** The stored size does not bound the text: a number of 27 bytes may have 130,000 digits. Most events have no headers. */
    private static final String HEADERS_ARE_LARGE =
            "(pg_column_size(e.headers) > 2048 or octet_length(e.headers::text) > 2048)";

    /**
     * Large columns are withheld: then the last column has the lengths of payload, headers and content type. So the size of a
     * page is bounded whatever the events contain.
     */
    static final String COLUMNS = """
            e.seq, e.id, e.type, e.version, e.aggregate_type, e.aggregate_id, e.aggregate_version, e.topic, e.key,
            case when not %1$s then e.payload end,
            case when octet_length(e.payload_bytes) <= 16384 then e.payload_bytes end,
            case when octet_length(e.content_type) <= 1020 then e.content_type end,
            case when not %2$s then e.headers end,
            e.created_at,
            case when %1$s or octet_length(e.payload_bytes) > 16384 or %2$s or octet_length(e.content_type) > 1020
                 then concat(coalesce(octet_length(e.payload_bytes),
                                      case when pg_column_compression(e.payload) is null then pg_column_size(e.payload)
                                           else octet_length(e.payload::text) end, 0),
                             ',', coalesce(octet_length(e.headers::text), 0),
                             ',', coalesce(octet_length(e.content_type), 0)) end""".formatted(PAYLOAD_IS_LARGE, HEADERS_ARE_LARGE);

    static final String WITHHELD =
            "select seq, payload, payload_bytes, content_type, headers from waybill.event where seq = any (?)";

    /** The columns that every row can be read with. */
    static final String SEQ = "e.seq";

    private static final String HALTED = """
            (select %s from (values (1)) one (only_row)
               left join waybill.relay r on r.name = ?
               left join waybill.event e on false
              where (r.epoch = ? and not r.paused) is not true)
            union all
            (%s)""";

    /** Instead of a seq: those of events are above 0. */
    private static final String WHY_HALTED = "case when r.paused then 0 else -1 end as seq";

    /**
     * Adds a row to a statement that says why it has no events. So a page that the relay may not read is not taken for one without
     * events.
     *
     * @param columns of the statement, where the row has the reason instead of the seq
     * @param page returns nothing unless {@link #MAY_READ}
     * @return the statement, with the name of the relay and its epoch as two more parameters before the others
     */
    static String orHalted(String columns, String page) {
        return HALTED.formatted(columns.replaceFirst(SEQ, WHY_HALTED), page);
    }

    /** Parameters: the epoch and the name of the relay. */
    static final String MAY_READ = "(select r.epoch = ? and not r.paused from waybill.relay r where r.name = ?)";

    /** Reads the number of attempts. */
    interface Attempts {
        int of(ResultSet row) throws SQLException;
    }

    /** A statement that returns events. */
    interface Query {
        /** @param columns {@link #COLUMNS}, or {@link #SEQ} */
        PreparedStatement with(String columns) throws SQLException;
    }

    /**
     * Fetches large columns only if they fit, and never those larger than the largest message. If a row cannot be read, the page
     * ends before it, or has only that one.
     */
    static EventPage read(JournalConnection connection, Query query, Limits max, Attempts attempts)
            throws SQLException {
        try {
            return read(connection, query.with(COLUMNS), max, attempts);
        } catch (SQLException e) {
            return new UnreadablePage(connection, e).read(query.with(SEQ), max, attempts);
        }
    }

    static EventPage read(JournalConnection connection, PreparedStatement statement, Limits max, Attempts attempts)
            throws SQLException {
        List<JournalRow> rows = new ArrayList<>();
        Map<Long, JournalRow> withheld = new HashMap<>();
        long bytes = 0;
        boolean tooLarge = false;
        try (ResultSet row = statement.executeQuery()) {
            while (!tooLarge && row.next()) {
                Halt halt = halt(row);
                if (halt != Halt.NONE) {
                    return new EventPage(List.of(), 0, false, halt);
                }
                JournalRow event = JournalRow.read(row, attempts.of(row));
                boolean tooLargeToSend = event.isLargerThan(max.largest());
                bytes += tooLargeToSend ? event.smallBytes() : event.bytes();
                tooLarge = bytes > max.bytes() && !rows.isEmpty();
                if (!tooLarge) {
                    rows.add(event);
                    if (event.isWithheld() && !tooLargeToSend) {
                        withheld.put(event.seq, event);
                    }
                }
            }
        }
        boolean cut = tooLarge || rows.size() == max.events();
        long lastSeq = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).seq;
        fetch(connection, withheld);
        if (!withheld.isEmpty()) {
            rows.removeAll(withheld.values());
        }
        return new EventPage(rows, lastSeq, cut, Halt.NONE);
    }

    /** What a row says instead of an event. */
    static Halt halt(ResultSet row) throws SQLException {
        long seq = row.getLong(1);
        return seq > 0 ? Halt.NONE : seq == 0 ? Halt.PAUSED : Halt.LEASE_LOST;
    }

    /** Leaves events in the map that were deleted meanwhile. */
    private static void fetch(JournalConnection connection, Map<Long, JournalRow> withheld) throws SQLException {
        if (withheld.isEmpty()) {
            return;
        }
        PreparedStatement statement = connection.prepare(WITHHELD);
        statement.setArray(1, connection.array("bigint", withheld.keySet().toArray()));
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                Objects.requireNonNull(withheld.remove(row.getLong(1))).fill(row);
            }
        }
    }
}
