package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Updates;
import dev.waybill.RelayName;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.ClosedInFlight;
import dev.waybill.spi.support.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One epoch of the relay of an outbox in MongoDB. The lease on the relay lets one session work at a time, which keeps the
 * order of every key. The lock on each record in flight keeps other workers away from it, and fences the session: a session that
 * takes over the relay takes over the locks, and updates of the old session then match no record.
 */
final class MongoSession implements RelaySession {
    private static final Logger log = LoggerFactory.getLogger(MongoSession.class);

    private final OutboxCollections outbox;
    private final MongoStoreOptions options;
    private final StoreClock clock;
    private final RelayName relay;
    private final long epoch;
    private final Duration lease;
    private final Worker worker;
    private final Walk walk;
    private final Interval adoption;
    private final Interval abandonment;
    private final Deque<MongoBatch> out = new ArrayDeque<>();
    private final ClosedInFlight<Utf8, MongoBatch> closedInFlight = new ClosedInFlight<>();

    private volatile Instant locksExtendedAt;
    private volatile boolean closed;

    MongoSession(
            OutboxCollections outbox,
            MongoStoreOptions options,
            RelayDocument registered,
            Worker worker,
            Duration lease) {
        this.outbox = outbox;
        this.options = options;
        this.clock = options.clock();
        this.relay = new RelayName(registered.name().orElseThrow());
        this.epoch = registered.epoch();
        this.lease = lease;
        this.worker = worker;
        this.walk = new Walk(options.nanoTime());
        this.adoption = new Interval(options.nanoTime(), Duration.ofSeconds(10));
        this.abandonment = new Interval(options.nanoTime(), Duration.ofSeconds(1));
        this.locksExtendedAt = registered.now();
    }

    /** Takes over records of earlier sessions of the relay, and records that other workers failed to publish. */
    void begin() {
        outbox.records().bulkWrite(Worker.givingBack(worker.leftBehind()));
        adopt();
    }

    /** Failures recorded by other workers have no retry time: they are due at once. */
    private void adopt() {
        if (adoption.isOver() && !Adoption.step(outbox)) {
            adoption.begin();
        }
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public boolean renew() {
        return outbox.doing("relay " + relay + " was renewing its lease", () -> {
            Optional<RelayDocument> document = current();
            if (document.isEmpty() || !document.get().renew(outbox, lease)) {
                return false;
            }
            extendLocks(document.get().now());
            return true;
        });
    }

    /** Only after half of their time: most records are published long before. */
    private void extendLocks(Instant now) {
        if (now.isBefore(locksExtendedAt.plus(options.lock().dividedBy(2)))) {
            return;
        }
        outbox.records().updateMany(worker.own(), Updates.set(Field.LOCKED_UNTIL, new BsonDateTime(lockEnd(now))));
        locksExtendedAt = now;
    }

    private long lockEnd(Instant now) {
        return now.plus(options.lock()).toEpochMilli();
    }

    private Optional<RelayDocument> current() {
        return closed
                ? Optional.empty()
                : RelayDocument.read(outbox).filter(document -> document.epoch() == epoch && document.isOf(relay));
    }

    private RelayDocument requireCurrent() {
        return current().orElseThrow(() -> new LeaseLostException(relay, epoch));
    }

    @Override
    public Optional<Batch> claim(Limits max) {
        return outbox.doing("relay " + relay + " was claiming", () -> {
            RelayDocument document = requireCurrent();
            if (document.paused()) {
                return Optional.empty();
            }
            adopt();
            giveBackAbandoned(document.now());
            clock.read(document.now());
            Instant due = clock.instant();
            Candidates candidates = new Candidates(outbox, worker, max, closedInFlight.keys());
            candidates.addDue(due);
            candidates.addPending(walk, document.changes());
            List<OutboxRecord> whole = new WholeRecords(outbox, max).of(candidates.chosen());
            List<OutboxRecord> claimed = lock(whole, Candidates.due(due), document.now());
            if (claimed.isEmpty()) {
                return Optional.empty();
            }
            MongoBatch batch = new MongoBatch(claimed);
            out.addLast(batch);
            return Optional.of(batch);
        });
    }

    /** Records that another worker has abandoned become pending again, or wait for their retry. */
    private void giveBackAbandoned(Instant now) {
        if (!abandonment.isOver()) {
            return;
        }
        abandonment.begin();
        Bson abandoned = worker.abandoned(now, options.lock());
        if (outbox.records()
                        .find(abandoned)
                        .projection(Projections.include(Field.ID))
                        .first()
                != null) {
            outbox.records().bulkWrite(Worker.givingBack(abandoned));
            walk.fromStart();
        }
    }

    /** A record is locked only if it has not changed since it was read. */
    private List<OutboxRecord> lock(List<OutboxRecord> chosen, Bson due, Instant now) {
        if (chosen.isEmpty()) {
            return chosen;
        }
        List<BsonValue> ids = ids(chosen);
        Bson free = Filters.and(Filters.in(Field.ID, ids), Filters.or(Filters.eq(Field.STATUS, Field.PENDING), due));
        long locked = outbox.records()
                .updateMany(free, worker.locking(Instant.ofEpochMilli(lockEnd(now)), now))
                .getMatchedCount();
        return locked == chosen.size() ? chosen : whatIsOwn(chosen, ids);
    }

    /** Another worker has locked some of them; later ones of their keys have to wait. */
    private List<OutboxRecord> whatIsOwn(List<OutboxRecord> chosen, List<BsonValue> ids) {
        Set<BsonValue> own = new HashSet<>();
        for (BsonDocument document : outbox.records().find(worker.own(ids)).projection(Projections.include(Field.ID))) {
            own.add(document.get(Field.ID));
        }
        Set<Utf8> closed = new HashSet<>();
        List<OutboxRecord> claimed = new ArrayList<>();
        List<OutboxRecord> back = new ArrayList<>();
        for (OutboxRecord record : chosen) {
            if (!own.contains(record.documentId())) {
                closed.add(record.orderKey());
            } else if (closed.contains(record.orderKey())) {
                back.add(record);
            } else {
                claimed.add(record);
            }
        }
        giveBack(back);
        return claimed;
    }

    private void giveBack(List<OutboxRecord> records) {
        if (!records.isEmpty()) {
            outbox.records().bulkWrite(Worker.givingBack(worker.own(ids(records))));
        }
    }

    private static List<BsonValue> ids(List<OutboxRecord> records) {
        return records.stream().map(OutboxRecord::documentId).toList();
    }

    @Override
    public Optional<BesideClaims> besideClaims() {
        return Optional.empty();
    }

    @Override
    public void settle(Batch batch, List<Settlement> ofRelay) {
        List<Settlement> inClaimOrder = clock.translate(ofRelay);
        outbox.doing("relay " + relay + " was settling", () -> {
            MongoBatch settled = takeOldest(batch, inClaimOrder);
            List<OutboxRecord> records = settled.records();
            int released = inClaimOrder.indexOf(Settlement.RELEASED);
            Settling settling = new Settling(worker);
            for (int i = 0; i < records.size(); i++) {
                boolean back = released >= 0 && i >= released;
                settling.add(records.get(i), back ? Settlement.RELEASED : inClaimOrder.get(i));
            }
            if (released >= 0) {
                out.forEach(voided -> voided.records().forEach(record -> settling.add(record, Settlement.RELEASED)));
                out.clear();
                closedInFlight.clear();
            }
            if (settling.mayFreeOthers()) {
                walk.fromStart();
            }
            missing(settling.writeTo(outbox));
            if (!settling.holding().isEmpty()) {
                Blockers.of(outbox, settling.holding(), worker).letFollowersWait(clock.instant());
            }
            if (closedInFlight.settled(settled)) {
                walk.fromStart();
            }
            closedInFlight.close(
                    ClosedInFlight.closedBy(records, inClaimOrder, OutboxRecord::orderKey), out, MongoSession::keys);
            return batch;
        });
    }

    private static Stream<Utf8> keys(MongoBatch batch) {
        return batch.records().stream().map(OutboxRecord::orderKey);
    }

    private MongoBatch takeOldest(Batch batch, List<Settlement> settlements) {
        MongoBatch oldest = out.peekFirst();
        if (oldest == null || oldest != batch) {
            throw new IllegalStateException("Relay " + relay + ": the settled batch is not the oldest of the "
                    + out.size() + " in flight. Settle batches in the order of claiming, and none after a release.");
        }
        if (settlements.size() != oldest.records().size()) {
            throw new IllegalArgumentException("Relay " + relay + ": " + settlements.size()
                    + " settlements for a batch of " + oldest.records().size() + " events.");
        }
        Settlement.requireAttemptsLeft(oldest.records(), settlements);
        return out.removeFirst();
    }

    private void missing(int records) {
        if (records > 0) {
            requireCurrent();
            log.warn(
                    "Relay {}: {} records were discarded or taken over while they were in flight; they are left unchanged.",
                    relay,
                    records);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            outbox.records().bulkWrite(Worker.givingBack(worker.own()));
            RelayDocument.giveBack(outbox, epoch);
        } catch (MongoException e) {
            log.info(
                    "Relay {}: epoch {} ended without releasing its lease ({}); the lease expires by itself.",
                    relay,
                    epoch,
                    MongoFailure.withoutValues(e).getMessage());
        }
    }
}
