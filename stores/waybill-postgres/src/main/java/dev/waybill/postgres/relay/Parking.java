package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The relay's parked events. A key with a parked event is closed: later events of the key are parked behind it, which keeps
 * their order. The parked events of a key are due up to its first <i>blocker</i> (an event that awaits its retry, or is dead and
 * holds its key) and wait after it; {@link #reopen} restores that after every change.
 */
final class Parking {
    private static final String PARK = """
            insert into waybill.parked (relay, seq, key, state, holds, attempts, error, next_attempt_at)
            values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (relay, seq) do nothing""";

    private static final String CLAIM_DUE = claimDue(EventPage.COLUMNS);

    private static final String REPARK = """
            update waybill.parked set state = ?, holds = ?, attempts = ?, error = ?, next_attempt_at = ?,
                   parked_at = clock_timestamp()
             where relay = ? and seq = ?""";

    private static final String UNPARK = "delete from waybill.parked where relay = ? and seq = any (?) returning key";

    // Each key is looked up in a lateral subquery with a limit, and the rows to change are collected in an array. So
    // the planner has no join to reorder, whatever the statistics.

    /** An event that awaits its retry, or is dead and holds its key: later events of the key wait. */
    private static final String IS_BLOCKER =
            "((b.state = 'dead' and b.holds) or (b.state = 'due' and b.next_attempt_at > '-infinity'))";

    /** Those of the given keys that a parked event closes. */
    static final String CLOSED_KEYS = """
            select k.key from unnest(?::uuid[]) k(key) cross join lateral (
                (select from waybill.parked d where d.relay = ? and d.key = k.key and d.state = 'due'
                  order by d.seq limit 1)
                union all
                (select from waybill.parked b where b.relay = ? and b.key = k.key and %s order by b.seq limit 1)
                union all
                (select from waybill.parked w where w.relay = ? and w.key = k.key and w.state = 'waiting'
                  order by w.seq limit 1)
                limit 1) parked""".formatted(IS_BLOCKER);

    /** Events after a blocker of their key wait. */
    static final String DEMOTE_BLOCKED = """
            update waybill.parked set state = 'waiting', next_attempt_at = null
             where relay = ? and seq = any (array(
                select d.seq from unnest(?::uuid[]) k(key)
                 cross join lateral (
                    select b.seq from waybill.parked b where b.relay = ? and b.key = k.key and %s
                     order by b.seq limit 1) blocker
                 cross join lateral (
                    select d.seq from waybill.parked d
                     where d.relay = ? and d.key = k.key and d.state = 'due' and d.seq > blocker.seq
                     order by d.seq offset 0) d))""".formatted(IS_BLOCKER);

    /**
     * Events that nothing blocks are due at once: up to a thousand of a key that has nothing due, otherwise those before the
     * first one due.
     */
    static final String PROMOTE_UNBLOCKED = """
            update waybill.parked set state = 'due', next_attempt_at = '-infinity'
             where relay = ? and seq = any (array(
                select w.seq from unnest(?::uuid[]) k(key)
                 cross join lateral (
                    select w.seq from waybill.parked w
                     where w.relay = ? and w.key = k.key and w.state = 'waiting'
                       and w.seq < least(9223372036854775807,
                           (select d.seq from waybill.parked d
                             where d.relay = ? and d.key = k.key and d.state = 'due' order by d.seq limit 1),
                           (select b.seq from waybill.parked b
                             where b.relay = ? and b.key = k.key and %s order by b.seq limit 1))
                     order by w.seq limit 1000) w))""".formatted(IS_BLOCKER);

    private static final int MAX_ERROR_LENGTH = 2_000;

    private final JournalConnection connection;
    private final RelayName relay;
    private final DueFloor floor = new DueFloor();
    private final PossiblyClosed possiblyClosed;

    Parking(JournalConnection connection, RelayName relay) {
        this.connection = connection;
        this.relay = relay;
        this.possiblyClosed = new PossiblyClosed(connection, relay);
    }

    DueFloor floor() {
        return floor;
    }

    Set<UUID> closedAmong(Collection<UUID> keys) throws SQLException {
        Set<UUID> open = possiblyClosed.among(keys, floor.looks());
        if (open.isEmpty()) {
            return open;
        }
        Set<UUID> closed = new HashSet<>(connection.query(
                CLOSED_KEYS,
                row -> row.getObject(1, UUID.class),
                connection.array("uuid", open.toArray()),
                relay.value(),
                relay.value(),
                relay.value()));
        open.removeAll(closed);
        possiblyClosed.remove(open);
        return closed;
    }

    /**
     * Followers that were promoted come first (their time is -infinity), so events of one key are ordered by seq. Nothing is due
     * while the relay is paused.
     */
    private static String claimDue(String columns) {
        return """
            select e.*, p.attempts from waybill.parked p
             cross join lateral (select %s from waybill.event e where e.seq = p.seq limit 1) e
             where (select not r.paused from waybill.relay r where r.name = ?)
               and p.relay = ? and p.state = 'due' and p.next_attempt_at >= ?::timestamptz and p.next_attempt_at <= ?
             order by p.next_attempt_at, p.seq limit ?""".formatted(columns);
    }

    List<JournalRow> due(Instant now, Limits max) throws SQLException {
        return EventPage.read(connection, columns -> due(columns, now, max), max, row -> row.getInt("attempts"))
                .rows();
    }

    private PreparedStatement due(String columns, Instant now, Limits max) throws SQLException {
        PreparedStatement statement =
                connection.prepare(columns.equals(EventPage.COLUMNS) ? CLAIM_DUE : claimDue(columns));
        Statements.bind(
                statement, 1, relay.value(), relay.value(), floor.text(), Timestamp.from(now), max.events());
        return statement;
    }

    /** Parks events of a window's page that were not published. */
    void park(List<JournalRow> rows, List<Settlement> settlements) throws SQLException {
        List<Parked> parked = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            parked.add(new Parked(rows.get(i), columns(rows.get(i), settlements.get(i))));
        }
        Set<UUID> keys = new LinkedHashSet<>();
        parked.forEach(one -> keys.add(one.event().keyHash()));
        possiblyClosed.add(keys);
        connection.updateEach(PARK, parked, one -> {
            Columns columns = one.columns();
            JournalRow event = one.event();
            return new @Nullable Object[] {
                relay.value(),
                event.seq,
                event.keyHash(),
                columns.state,
                columns.holds,
                columns.attempts,
                columns.error,
                SqlArgument.time(columns.nextAttemptAt)
            };
        });
        reopen(keys);
    }

    /** Settles events that were parked already. */
    void settle(List<JournalRow> rows, List<Settlement> settlements) throws SQLException {
        List<Long> published = new ArrayList<>();
        List<Parked> again = new ArrayList<>();
        Set<UUID> keys = new LinkedHashSet<>();
        for (int i = 0; i < rows.size(); i++) {
            JournalRow event = rows.get(i);
            keys.add(event.keyHash());
            Settlement settlement = settlements.get(i);
            if (settlement instanceof Settlement.Published) {
                published.add(event.seq);
            } else if (parks(settlement)) {
                again.add(new Parked(event, columns(event, settlement)));
            }
        }
        possiblyClosed.add(keys);
        connection.updateEach(REPARK, again, one -> {
            Columns columns = one.columns();
            return new @Nullable Object[] {
                columns.state,
                columns.holds,
                columns.attempts,
                columns.error,
                SqlArgument.time(columns.nextAttemptAt),
                relay.value(),
                one.event().seq
            };
        });
        unpark(published);
        reopen(keys);
    }

    /** These parked events were published. */
    void delivered(List<Long> seqs) throws SQLException {
        if (!seqs.isEmpty()) {
            Set<UUID> keys = unpark(seqs);
            possiblyClosed.add(keys);
            reopen(keys);
        }
    }

    private Set<UUID> unpark(List<Long> seqs) throws SQLException {
        return new LinkedHashSet<>(connection.query(
                UNPARK,
                row -> row.getObject(1, UUID.class),
                relay.value(),
                connection.array("bigint", seqs.toArray())));
    }

    void reopen(Collection<UUID> keys) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        java.sql.Array array = connection.array("uuid", keys.toArray());
        connection.update(DEMOTE_BLOCKED, relay.value(), array, relay.value(), relay.value());
        if (connection.update(PROMOTE_UNBLOCKED, relay.value(), array, relay.value(), relay.value(), relay.value())
                > 0) {
            floor.lowerToAll();
        }
    }

    /** Lowers the floor before the row is written. If the write fails, the floor is only lower than necessary. */
    private Columns columns(JournalRow event, Settlement settlement) {
        Columns columns = Columns.of(event, settlement);
        if (columns.nextAttemptAt != null) {
            floor.lower(columns.nextAttemptAt);
        }
        if (columns.holds) {
            floor.holds();
        }
        return columns;
    }

    static boolean parks(Settlement settlement) {
        return !(settlement instanceof Settlement.Published) && !(settlement instanceof Settlement.Released);
    }

    private record Parked(JournalRow event, Columns columns) {}

    /** The mutable columns of a parked event. */
    private record Columns(
            String state,
            boolean holds,
            int attempts,
            @Nullable String error,
            @Nullable Instant nextAttemptAt) {

        static Columns of(JournalRow event, Settlement settlement) {
            int before = event.attempts();
            if (settlement instanceof Settlement.RetryAt retry) {
                return new Columns(
                        "due",
                        false,
                        before + (retry.counted() ? 1 : 0),
                        ErrorText.cut(retry.error(), MAX_ERROR_LENGTH),
                        retry.at());
            }
            if (settlement instanceof Settlement.Dead dead) {
                return new Columns(
                        "dead",
                        dead.holdsKey(),
                        before + (dead.sent() ? 1 : 0),
                        ErrorText.cut(dead.error(), MAX_ERROR_LENGTH),
                        null);
            }
            return new Columns("waiting", false, before, null, null);
        }
    }
}
