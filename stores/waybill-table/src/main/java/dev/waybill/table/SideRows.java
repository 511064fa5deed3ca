package dev.waybill.table;

import dev.waybill.jdbc.kernel.SqlArgument;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of rows besides what they say themselves. In ordered mode a row is here while it waits for its retry, and
 * while it is dead. A key with a row that waits, or is dead and holds it, is closed: its later rows simply stay pending, and
 * the reader passes them over.
 */
final class SideRows {
    /**
     * Of each key only the first: others are due behind it, in any number, and would fill the list. What is dead and holds its
     * key goes before what follows it, too.
     */
    private static final String DUE_HEADS = """
            select c.row_id, c.key_hash, c.position, c.state, c.holds, c.attempts, c.error, c.next_attempt_at from {claim} c
             where c.outbox = ? and c.state = 'retry' and c.next_attempt_at <= ?
               and not exists (select 1 from {claim} h
                                where concat(h.outbox, '') = c.outbox and h.key_hash = c.key_hash and h.holds = false
                                  and h.state = 'retry' and h.position < c.position{row_by_row})
               and not exists (select 1 from {claim} h
                                where concat(h.outbox, '') = c.outbox and h.key_hash = c.key_hash and h.holds = true
                                  and h.state = 'dead' and h.position < c.position{row_by_row})
             order by {due_order} limit ?""";

    /** What waits of these keys, in order; {most} is a number. */
    private static final String WAITING_OF_KEYS = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where concat(outbox, '') = ? and holds = false and state = 'retry' and key_hash {among}
             order by {waiting_order} limit {most}""";

    private static final String SIDE_ROWS =
            "select row_id from {claim} where concat(outbox, '') = ? and row_id {among}";

    /** The first of each key that waits for its retry; or, asked so, that is dead and holds it. */
    private static final String BLOCKERS = """
            select key_hash, min(position) from {claim}
             where concat(outbox, '') = ? and holds = ? and state = ? and key_hash {among} group by key_hash""";

    private static final String PUT_SIDE = """
            insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts, error, next_attempt_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String DROP_SIDE = "delete from {claim} where concat(outbox, '') = ? and row_id {among}";

    /** Rows of a state, or those that hold their keys: {column} is one of the two. */
    private static final String SIDE_PAGE = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where outbox = ? and {column} = ? and position > ?
             order by {side_order} limit ?""";

    /** The rest of one position. */
    private static final String SIDE_REST = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where outbox = ? and {column} = ? and position = ? and row_id > ?
             order by {side_order} limit ?""";

    private static final String SIDE_BY_ID = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where concat(outbox, '') = ? and row_id {among}""";

    private static final String OF_KEYS = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where concat(outbox, '') = ? and (state <> 'dead' or holds) and key_hash {among} order by position, row_id""";

    private final TableConnection connection;

    SideRows(TableConnection connection) {
        this.connection = connection;
    }

    /**
     * Rows whose time has come, of each key the first one and behind it those whose time has come, too. Nothing is among them
     * that goes behind another.
     */
    List<SideRow> due(Instant now, int limit) throws SQLException {
        List<SideRow> due =
                connection.query(DUE_HEADS, SideRow::read, connection.outbox(), TableTimes.micros(now), limit);
        if (!due.isEmpty() && due.size() < limit) {
            due.addAll(behind(due, now, limit));
        }
        return due.subList(0, Math.min(limit, due.size()));
    }

    private List<SideRow> behind(List<SideRow> heads, Instant now, int limit) throws SQLException {
        Set<String> headIds = heads.stream().map(SideRow::rowId).collect(Collectors.toSet());
        Set<String> keys = heads.stream().map(SideRow::keyHash).collect(Collectors.toSet());
        Map<String, Long> held = blockers(keys, SideState.DEAD);
        String waiting = WAITING_OF_KEYS.replace("{most}", String.valueOf(limit));
        List<SideRow> rows = connection.amongKeys(keys).query(waiting, SideRow::read, connection.outbox());
        List<SideRow> behind = new ArrayList<>();
        for (SideRow row : rows) {
            boolean due = row.nextAttemptAt().orElse(Long.MAX_VALUE) <= TableTimes.micros(now)
                    && row.position() <= held.getOrDefault(row.keyHash(), Long.MAX_VALUE);
            if (!due) {
                keys.remove(row.keyHash());
            } else if (keys.contains(row.keyHash()) && !headIds.contains(row.rowId())) {
                behind.add(row);
            }
        }
        return behind;
    }

    /** A place among side rows: a row, or with an empty id the end of a position. */
    record Place(long position, String rowId) {
        static final Place START = new Place(Long.MIN_VALUE, "");

        static Place of(SideRow row) {
            return new Place(row.position(), row.rowId());
        }

        /** Before all rows of this position. */
        static Place before(long position) {
            return position == Long.MIN_VALUE ? START : new Place(position - 1, "");
        }
    }

    /** Rows in this state behind a place, in order. */
    List<SideRow> page(SideState state, Place after, int limit) throws SQLException {
        return page("state", state.column(), after, limit);
    }

    /** Dead rows behind a place that hold their keys, in order. */
    List<SideRow> holding(Place after, int limit) throws SQLException {
        return page("holds", true, after, limit);
    }

    /** In two statements, since an alternative in one of them keeps databases from their index. */
    private List<SideRow> page(String column, Object value, Place after, int limit) throws SQLException {
        List<SideRow> rows = new ArrayList<>();
        String order = connection.dialectSql().order("outbox, " + column, "position, row_id");
        if (!after.rowId().isEmpty()) {
            rows.addAll(connection.query(
                    SIDE_REST.replace("{column}", column).replace("{side_order}", order),
                    SideRow::read,
                    connection.outbox(),
                    value,
                    after.position(),
                    after.rowId(),
                    limit));
        }
        if (rows.size() < limit) {
            rows.addAll(connection.query(
                    SIDE_PAGE.replace("{column}", column).replace("{side_order}", order),
                    SideRow::read,
                    connection.outbox(),
                    value,
                    after.position(),
                    limit - rows.size()));
        }
        return rows;
    }

    Map<String, SideRow> of(Collection<String> rowIds) throws SQLException {
        Map<String, SideRow> found = new HashMap<>();
        connection
                .among(rowIds)
                .query(SIDE_BY_ID, SideRow::read, connection.outbox())
                .forEach(row -> found.put(row.rowId(), row));
        return found;
    }

    /** Which of these rows are in the side table. */
    Set<String> among(Collection<String> rowIds) throws SQLException {
        return find(SIDE_ROWS, rowIds);
    }

    /** Which of these rows a statement finds that asks for the outbox and a list. */
    Set<String> find(String sql, Collection<String> rowIds) throws SQLException {
        return new HashSet<>(connection.among(rowIds).query(sql, row -> row.getString(1), connection.outbox()));
    }

    /** Of these keys those that are closed, with the place of what closes them. */
    Map<String, Long> closedAmong(Collection<String> keyHashes) throws SQLException {
        Map<String, Long> closed = blockers(keyHashes, SideState.RETRY);
        blockers(keyHashes, SideState.DEAD).forEach((key, position) -> closed.merge(key, position, Math::min));
        return closed;
    }

    /** Apart from each other: a key may have many dead that do not hold it, and those need not be looked at. */
    private Map<String, Long> blockers(Collection<String> keyHashes, SideState state) throws SQLException {
        Map<String, Long> closed = new HashMap<>();
        connection
                .amongKeys(keyHashes)
                .each(
                        BLOCKERS,
                        row -> closed.put(row.getString(1), row.getLong(2)),
                        connection.outbox(),
                        state == SideState.DEAD,
                        state.column());
        return closed;
    }

    /** Of these keys all that waits or holds them, in order; only in replays is it all. */
    List<SideRow> ofKeys(Collection<String> keyHashes) throws SQLException {
        return connection.among(keyHashes).query(OF_KEYS, SideRow::read, connection.outbox());
    }

    /** Writes these rows, replacing what the side table said of them. */
    void put(List<SideRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        drop(rows.stream().map(SideRow::rowId).toList());
        connection.updateEach(PUT_SIDE, rows, row -> new @Nullable Object[] {
            connection.outbox(),
            row.rowId(),
            row.keyHash(),
            row.position(),
            row.state().column(),
            row.holds(),
            row.attempts(),
            row.error().orElse(null),
            SqlArgument.number(
                    row.nextAttemptAt().isPresent() ? row.nextAttemptAt().getAsLong() : null)
        });
    }

    void drop(List<String> rowIds) throws SQLException {
        connection.amongFew(rowIds).update(DROP_SIDE, connection.outbox());
    }
}
