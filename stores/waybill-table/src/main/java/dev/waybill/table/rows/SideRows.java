package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.SqlArgument;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The side table: rows that wait for a retry, are dead, or are leased by a competing session. A key is closed if one of its
 * rows waits for a retry, or is dead and holds the key. Later rows of a closed key stay pending, and the reader skips them.
 */
public final class SideRows {
    private static final String SELECT =
            "select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim} ";

    /**
     * Only the first row of each key, since any number may be due behind it. A dead row that holds the key counts as an earlier
     * one.
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

    /** Rows of these keys that wait for a retry, in order; {most} is a number. */
    private static final String WAITING_OF_KEYS = SELECT + """
            where concat(outbox, '') = ? and holds = false and state = 'retry' and key_hash {among}
             order by {waiting_order} limit {most}""";

    private static final String SIDE_ROWS =
            "select row_id from {claim} where concat(outbox, '') = ? and row_id {among}";

    /** The first row of each key that waits for a retry, or that is dead and holds the key. */
    private static final String BLOCKERS = """
            select key_hash, min(position) from {claim}
             where concat(outbox, '') = ? and holds = ? and state = ? and key_hash {among} group by key_hash""";

    private static final String PUT_SIDE = """
            insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts, error, next_attempt_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String DROP_SIDE = "delete from {claim} where concat(outbox, '') = ? and row_id {among}";

    /** Rows of a state, or rows that hold their keys; {column} says which. */
    private static final String SIDE_PAGE = SELECT + """
            where outbox = ? and {column} = ? and position > ?
             order by {side_order} limit ?""";

    /** The remaining rows of one position. */
    private static final String SIDE_REST = SELECT + """
            where outbox = ? and {column} = ? and position = ? and row_id > ?
             order by {side_order} limit ?""";

    private static final String SIDE_BY_ID = SELECT + "where concat(outbox, '') = ? and row_id {among}";

    /** Any number of rows may have the same position. */
    private static final String FIRST_BEHIND_AT = """
            select key_hash, position, min(row_id) from {claim}
             where outbox = ? and state = 'behind' and position {among} group by key_hash, position""";

    private static final String FIRST_AT = SELECT + """
            where concat(outbox, '') = ? and key_hash = ? and position = ? and (state <> 'dead' or holds)
             order by row_id limit 1""";

    private final TableConnection connection;

    public SideRows(TableConnection connection) {
        this.connection = connection;
    }

    /** Rows whose retry is due: the first row of each key, then the rows directly behind it that are due as well. */
    public List<SideRow> due(Instant now, int limit) throws SQLException {
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

    /** A place in the order of side rows: a row, or with an empty id the end of its position. */
    public record Place(long position, String rowId) {
        public static final Place START = new Place(Long.MIN_VALUE, "");

        public static Place of(SideRow row) {
            return new Place(row.position(), row.rowId());
        }

        /** Before all rows of this position. */
        public static Place before(long position) {
            return position == Long.MIN_VALUE ? START : new Place(position - 1, "");
        }
    }

    /** Rows in this state after a place, in order. */
    public List<SideRow> page(SideState state, Place after, int limit) throws SQLException {
        return page("state", order("state"), state.column(), after, limit);
    }

    /** Dead rows after a place that hold their keys, in order. */
    public List<SideRow> holding(Place after, int limit) throws SQLException {
        return page("holds", order("holds"), true, after, limit);
    }

    private String order(String column) {
        return connection.relayDialect().order("outbox, " + column, "position, row_id");
    }

    /** Dead rows after a place that their table still has as pending, in order: {@link SideRow#refused}. */
    public List<SideRow> refused(Place after, int limit) throws SQLException {
        String order = connection.relayDialect().order("outbox, state, next_attempt_at", "position, row_id");
        return page("state = 'dead' and next_attempt_at", order, SideRow.REFUSED, after, limit);
    }

    /** Two statements, since databases would not use the index for one with {@code or}. */
    private List<SideRow> page(String column, String order, Object value, Place after, int limit) throws SQLException {
        List<SideRow> rows = new ArrayList<>();
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

    public Map<String, SideRow> of(Collection<String> rowIds) throws SQLException {
        Map<String, SideRow> found = new HashMap<>();
        connection
                .among(rowIds)
                .query(SIDE_BY_ID, SideRow::read, connection.outbox())
                .forEach(row -> found.put(row.rowId(), row));
        return found;
    }

    /** Those of these rows that have a side row. */
    public Set<String> among(Collection<String> rowIds) throws SQLException {
        return find(SIDE_ROWS, rowIds);
    }

    /** Those of these rows that a statement finds; its parameters are the outbox and a list. */
    public Set<String> find(String sql, Collection<String> rowIds) throws SQLException {
        return new HashSet<>(connection.among(rowIds).query(sql, row -> row.getString(1), connection.outbox()));
    }

    /** The closed keys among these, each with the position of the first row that closes it. */
    public Map<String, Long> closedAmong(Collection<String> keyHashes) throws SQLException {
        Map<String, Long> closed = blockers(keyHashes, SideState.RETRY);
        blockers(keyHashes, SideState.DEAD).forEach((key, position) -> closed.merge(key, position, Math::min));
        return closed;
    }

    /** Those of these rows that wait for a retry behind a dead one that holds their key. They do not come before it is gone. */
    public Set<String> heldRetries(Collection<SideRow> rows) throws SQLException {
        List<SideRow> retries =
                rows.stream().filter(row -> row.is(SideState.RETRY)).toList();
        Map<String, Long> held =
                blockers(retries.stream().map(SideRow::keyHash).toList(), SideState.DEAD);
        return retries.stream()
                .filter(row -> row.position() > held.getOrDefault(row.keyHash(), Long.MAX_VALUE))
                .map(SideRow::rowId)
                .collect(Collectors.toSet());
    }

    /** Those of these keys that have rows behind others. They are written in replays only. */
    public Set<String> behindAmong(Collection<String> keyHashes) throws SQLException {
        return blockers(keyHashes, SideState.BEHIND).keySet();
    }

    /** One query per state, so that the many dead rows that may not hold their key are not read. */
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

    /** The first row of each of these keys, if it is behind others that no longer wait. Any number of rows may follow it. */
    public List<SideRow> firstIfBehind(Collection<String> keyHashes) throws SQLException {
        Map<String, Long> behind = blockers(keyHashes, SideState.BEHIND);
        Map<String, Long> closed = closedAmong(behind.keySet());
        behind.entrySet().removeIf(key -> key.getValue() > closed.getOrDefault(key.getKey(), Long.MAX_VALUE));
        List<String> ids = new ArrayList<>();
        connection
                .amongFew(Set.copyOf(behind.values()))
                .each(
                        FIRST_BEHIND_AT,
                        row -> {
                            if (Objects.equals(behind.get(row.getString(1)), row.getLong(2))) {
                                ids.add(row.getString(3));
                            }
                        },
                        connection.outbox());
        List<SideRow> first = new ArrayList<>();
        for (SideRow row : of(ids).values()) {
            if (!Objects.equals(closed.get(row.keyHash()), row.position()) || isFirst(row)) {
                first.add(row);
            }
        }
        return first;
    }

    /** Whether it comes before other rows of its key and position, which close the key. */
    private boolean isFirst(SideRow row) throws SQLException {
        return connection.first(FIRST_AT, SideRow::read, connection.outbox(), row.keyHash(), row.position()).stream()
                .allMatch(at -> at.is(SideState.BEHIND));
    }

    /** Writes these rows, replacing existing side rows of the same ids. */
    public void put(List<SideRow> rows) throws SQLException {
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

    public void drop(List<String> rowIds) throws SQLException {
        connection.amongFew(rowIds).update(DROP_SIDE, connection.outbox());
    }
}
