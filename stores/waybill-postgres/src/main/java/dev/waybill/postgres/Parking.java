package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlArgument;
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
 * The relay's parked events. A key with a parked event is closed: later events of the key are parked behind it, so that they
 * leave in order. Of a key's events those before the first <i>blocker</i> (one to be retried, or dead and holding its key) are
 * due at once, those after it wait; {@link #reopen} restores that after every change.
 */
final class Parking {
    private static final String PARK = """
            insert into waybill.parked (relay, seq, key, state, holds, attempts, error, next_attempt_at)
            values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (relay, seq) do nothing""";

    /** Promoted followers come first (their time is -infinity), so events of one key are in the order of seq. */
    private static final String CLAIM_DUE = """
            select e.*, p.attempts from waybill.parked p
             cross join lateral (select %s from waybill.event e where e.seq = p.seq limit 1) e
             where p.relay = ? and p.state = 'due' and p.next_attempt_at >= ?::timestamptz and p.next_attempt_at <= ?
             order by p.next_attempt_at, p.seq limit ?""".formatted(PostgresJournalSql.EVENT_COLUMNS);

    private static final String REPARK = """
            update waybill.parked set state = ?, holds = ?, attempts = ?, error = ?, next_attempt_at = ?
             where relay = ? and seq = ?""";

    private static final String UNPARK = "delete from waybill.parked where relay = ? and seq = any (?)";

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

    /** What this session knows of them. */
    DueFloor floor() {
        return floor;
    }

    Set<UUID> closedAmong(Collection<UUID> keys) throws SQLException {
        Set<UUID> open = possiblyClosed.among(keys, floor.looks());
        if (open.isEmpty()) {
            return open;
        }
        Set<UUID> closed = new HashSet<>(connection.query(
                PostgresJournalSql.CLOSED_KEYS,
                row -> row.getObject(1, UUID.class),
                connection.array("uuid", open.toArray()),
                relay.value(),
                relay.value(),
                relay.value()));
        open.removeAll(closed);
        possiblyClosed.remove(open);
        return closed;
    }

    List<JournalRow> due(Instant now, Limits max) throws SQLException {
        PreparedStatement statement = connection.prepare(CLAIM_DUE);
        statement.setString(1, relay.value());
        statement.setString(2, floor.text());
        statement.setTimestamp(3, Timestamp.from(now));
        statement.setInt(4, max.events());
        return EventPage.read(connection, statement, max, row -> row.getInt(16)).rows();
    }

    /** Parks events of a window's page that were not published. */
    void park(List<JournalRow> rows, List<Settlement> settlements) throws SQLException {
        List<Parked> parked = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            parked.add(new Parked(rows.get(i), spot(rows.get(i), settlements.get(i))));
        }
        Set<UUID> keys = new LinkedHashSet<>();
        parked.forEach(one -> keys.add(one.event().keyHash()));
        possiblyClosed.add(keys);
        connection.updateEach(PARK, parked, one -> {
            Spot spot = one.spot();
            JournalRow event = one.event();
            return new @Nullable Object[] {
                relay.value(),
                event.seq,
                event.keyHash(),
                spot.state,
                spot.holds,
                spot.attempts,
                spot.error,
                SqlArgument.time(spot.nextAttemptAt)
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
                again.add(new Parked(event, spot(event, settlement)));
            }
        }
        possiblyClosed.add(keys);
        connection.updateEach(REPARK, again, one -> {
            Spot spot = one.spot();
            return new @Nullable Object[] {
                spot.state,
                spot.holds,
                spot.attempts,
                spot.error,
                SqlArgument.time(spot.nextAttemptAt),
                relay.value(),
                one.event().seq
            };
        });
        connection.update(UNPARK, relay.value(), connection.array("bigint", published.toArray()));
        reopen(keys);
    }

    void reopen(Collection<UUID> keys) throws SQLException {
        if (keys.isEmpty()) {
            return;
        }
        java.sql.Array array = connection.array("uuid", keys.toArray());
        connection.update(PostgresJournalSql.DEMOTE_BLOCKED, relay.value(), array, relay.value(), relay.value());
        if (connection.update(
                        PostgresJournalSql.PROMOTE_UNBLOCKED,
                        relay.value(),
                        array,
                        relay.value(),
                        relay.value(),
                        relay.value())
                > 0) {
            floor.lowerToAll();
        }
    }

    /** Notes what is about to be written; if it is not, the floor is lower than it need be, and nothing worse. */
    private Spot spot(JournalRow event, Settlement settlement) {
        Spot spot = Spot.of(event, settlement);
        if (spot.nextAttemptAt != null) {
            floor.lower(spot.nextAttemptAt);
        }
        if (spot.holds) {
            floor.holds();
        }
        return spot;
    }

    static boolean parks(Settlement settlement) {
        return !(settlement instanceof Settlement.Published) && !(settlement instanceof Settlement.Released);
    }

    /** An event and what is written of it. */
    private record Parked(JournalRow event, Spot spot) {}

    /** The changeable columns of a parked event. */
    private record Spot(
            String state,
            boolean holds,
            int attempts,
            @Nullable String error,
            @Nullable Instant nextAttemptAt) {

        static Spot of(JournalRow event, Settlement settlement) {
            int before = event.attempts();
            if (settlement instanceof Settlement.RetryAt retry) {
                return new Spot("due", false, before + (retry.counted() ? 1 : 0), cut(retry.error()), retry.at());
            }
            if (settlement instanceof Settlement.Dead dead) {
                return new Spot("dead", dead.holdsKey(), before + (dead.sent() ? 1 : 0), cut(dead.error()), null);
            }
            return new Spot("waiting", false, before, null, null);
        }

        private static String cut(String error) {
            String storable = error.replace('\0', ' ');
            return storable.length() <= MAX_ERROR_LENGTH ? storable : storable.substring(0, MAX_ERROR_LENGTH - 1) + "…";
        }
    }
}
