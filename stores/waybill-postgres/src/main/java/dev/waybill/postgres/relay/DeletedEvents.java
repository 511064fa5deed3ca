package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
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
 * Finds parked events that were deleted from the journal (TRUNCATE, or by hand). They can never be sent, and would close their
 * keys, or count as dead, forever. Each search covers a bounded part of the events that are due or hold their key, and of the
 * other dead ones; the next continues there. When one is dropped, the events waiting behind it become due.
 */
final class DeletedEvents {
    /** Events that close keys, through indexes that exclude the other dead ones. */
    static final String FIND = """
            select p.seq, e.seq is null
              from ((select d.seq from waybill.parked d where d.relay = ? and lower(d.state) = 'due' and d.seq > ?
                      order by d.seq limit ?)
                    union all
                    (select h.seq from waybill.parked h where h.relay = ? and h.state = 'dead' and h.holds and h.seq > ?
                      order by h.seq limit ?)
                    order by seq limit ?) p
              left join lateral (select e.seq from waybill.event e where e.seq = p.seq limit 1) e on true""";

    private static final String FIND_AMONG_DEAD = """
            select p.seq, e.seq is null
              from (select d.seq from waybill.parked d where d.relay = ? and d.state = 'dead' and not d.holds and d.seq > ?
                     order by d.seq limit ?) p
              left join lateral (select e.seq from waybill.event e where e.seq = p.seq limit 1) e on true""";

    private static final String DROP = """
            delete from waybill.parked p where p.relay = ? and p.seq = any (?)
               and (select e.seq from waybill.event e where e.seq = p.seq) is null
            returning p.key""";

    private static final Logger log = LoggerFactory.getLogger(DeletedEvents.class);
    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final int PER_SEARCH = 100;
    private static final int DEAD_PER_SEARCH = 10;
    private static final long START = Long.MIN_VALUE;

    private final JournalConnection connection;
    private final RelayName relay;
    private long from = START;
    /** Dead events that close no key may be many, and are not urgent. */
    private long fromDead = START;

    private Instant searchedAt = Instant.MIN;

    DeletedEvents(JournalConnection connection, RelayName relay) {
        this.connection = connection;
        this.relay = relay;
    }

    /** Saves the position of the session, and something with it. */
    interface Save {
        void with(PositionSaver.Also also) throws SQLException;
    }

    void dropFound(Instant now, Parking parking, Save save) throws SQLException {
        List<Long> found = isDue(now) ? find(now) : List.of();
        if (!found.isEmpty()) {
            save.with(() -> drop(found, parking));
        }
    }

    /** Also true after the clock was set back. */
    private boolean isDue(Instant now) {
        return now.isBefore(searchedAt) || !searchedAt.isAfter(now.minus(EVERY));
    }

    /** @return the seqs found; if there are any, the next search is due at once */
    private List<Long> find(Instant now) throws SQLException {
        List<Long> found = next();
        searchedAt = found.isEmpty() ? now : Instant.MIN;
        return found;
    }

    private List<Long> next() throws SQLException {
        List<Long> found = new ArrayList<>();
        String name = relay.value();
        from = nextFrom(
                from, PER_SEARCH, search(found, FIND, name, from, PER_SEARCH, name, from, PER_SEARCH, PER_SEARCH));
        fromDead = nextFrom(fromDead, DEAD_PER_SEARCH, search(found, FIND_AMONG_DEAD, name, fromDead, DEAD_PER_SEARCH));
        return found;
    }

    /** @return all seqs that were examined */
    private List<Long> search(List<Long> found, String text, Object... arguments) throws SQLException {
        return connection.query(
                text,
                row -> {
                    if (row.getBoolean(2)) {
                        found.add(row.getLong(1));
                    }
                    return row.getLong(1);
                },
                arguments);
    }

    private static long nextFrom(long from, int most, List<Long> examined) {
        return examined.size() < most ? START : Math.max(from, Collections.max(examined));
    }

    /** Runs in a transaction that holds the lock on the relay's row. */
    private void drop(List<Long> seqs, Parking parking) throws SQLException {
        List<UUID> dropped = connection.query(
                DROP, row -> row.getObject(1, UUID.class), relay.value(), connection.array("bigint", seqs.toArray()));
        parking.reopen(new LinkedHashSet<>(dropped));
        log.warn(
                "Relay {}: dropped {} parked events that are no longer in the journal (TRUNCATE, or deleted by hand); later"
                        + " events of their keys are published.",
                relay,
                dropped.size());
    }
}
