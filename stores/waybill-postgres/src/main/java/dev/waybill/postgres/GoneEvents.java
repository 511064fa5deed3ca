package dev.waybill.postgres;

import dev.waybill.RelayName;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for parked events that are not in the journal any more (TRUNCATE, or somebody deleted them): they can never be sent, and
 * would close their keys, or count as dead, for ever. A look goes over a bounded part of those that are due or hold their key, and
 * of the other dead; the next goes on from there. What waits behind one of them is due when that one is dropped.
 */
final class GoneEvents {
    /** A part of what closes keys, through indexes without the other dead. */
    static final String FIND_GONE = """
            select p.seq, e.seq is null
              from ((select d.seq from waybill.parked d where d.relay = ? and lower(d.state) = 'due' and d.seq > ?
                      order by d.seq limit ?)
                    union all
                    (select h.seq from waybill.parked h where h.relay = ? and h.state = 'dead' and h.holds and h.seq > ?
                      order by h.seq limit ?)
                    order by seq limit ?) p
              left join lateral (select e.seq from waybill.event e where e.seq = p.seq limit 1) e on true""";

    private static final String FIND_GONE_DEAD = """
            select p.seq, e.seq is null
              from (select d.seq from waybill.parked d where d.relay = ? and d.state = 'dead' and not d.holds and d.seq > ?
                     order by d.seq limit ?) p
              left join lateral (select e.seq from waybill.event e where e.seq = p.seq limit 1) e on true""";

    private static final String DROP_GONE = """
            delete from waybill.parked p where p.relay = ? and p.seq = any (?)
               and (select e.seq from waybill.event e where e.seq = p.seq) is null
            returning p.key""";

    private static final Logger log = LoggerFactory.getLogger(GoneEvents.class);
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final int A_LOOK = 100;
    private static final int A_LOOK_AT_DEAD = 10;
    private static final long START = Long.MIN_VALUE;

    private final JournalConnection connection;
    private final RelayName relay;
    private long from = START;
    /** The dead that close no key may be many, and hurry nobody. */
    private long fromDead = START;

    private Instant lookedAt = Instant.MIN;

    GoneEvents(JournalConnection connection, RelayName relay) {
        this.connection = connection;
        this.relay = relay;
    }

    /** Whether it is time for a look. A clock that was set back makes it so. */
    boolean isTime(Instant now) {
        return now.isBefore(lookedAt) || !lookedAt.isAfter(now.minus(EVERY));
    }

    /** @return those found; while there are some the next look need not wait */
    List<Long> look(Instant now) throws SQLException {
        List<Long> gone = next();
        lookedAt = gone.isEmpty() ? now : Instant.MIN;
        return gone;
    }

    private List<Long> next() throws SQLException {
        List<Long> gone = new ArrayList<>();
        String name = relay.value();
        from = nextFrom(from, A_LOOK, look(gone, FIND_GONE, name, from, A_LOOK, name, from, A_LOOK, A_LOOK));
        fromDead = nextFrom(fromDead, A_LOOK_AT_DEAD, look(gone, FIND_GONE_DEAD, name, fromDead, A_LOOK_AT_DEAD));
        return gone;
    }

    /** @return the seqs that were looked at */
    private List<Long> look(List<Long> gone, String text, Object... arguments) throws SQLException {
        return connection.query(
                text,
                row -> {
                    if (row.getBoolean(2)) {
                        gone.add(row.getLong(1));
                    }
                    return row.getLong(1);
                },
                arguments);
    }

    private static long nextFrom(long from, int most, List<Long> looked) {
        return looked.size() < most ? START : Math.max(from, Collections.max(looked));
    }

    /** Within a transaction that holds the lock on the relay's row. */
    void drop(List<Long> seqs, Parking parking) throws SQLException {
        List<UUID> dropped = connection.query(
                DROP_GONE,
                row -> row.getObject(1, UUID.class),
                relay.value(),
                connection.array("bigint", seqs.toArray()));
        parking.reopen(new LinkedHashSet<>(dropped));
        log.warn(
                "Relay {}: {} parked events are not in the journal any more (TRUNCATE, or somebody deleted them): they were"
                        + " dropped, and their keys go on.",
                relay,
                dropped.size());
    }
}
