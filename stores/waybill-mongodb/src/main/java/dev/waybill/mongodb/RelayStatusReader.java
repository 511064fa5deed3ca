package dev.waybill.mongodb;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Sorts;
import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Utf8;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;

/**
 * The status of the relay of an outbox. Pending records are read only up to the counting limit; those behind a parked record are
 * counted as far as they are among them.
 */
final class RelayStatusReader {
    private static final int COUNTED = RelayStatus.COUNTED + 1;
    private static final int STEP = 1_000;

    private final OutboxCollections outbox;
    private final Parking parking;
    private long ready;
    private long waiting;
    private Optional<Instant> oldestPending = Optional.empty();
    private Optional<Instant> oldestParked = Optional.empty();

    RelayStatusReader(OutboxCollections outbox) {
        this.outbox = outbox;
        this.parking = new Parking(outbox);
    }

    RelayStatus of(RelayDocument relay) {
        boolean all = lookThroughPending();
        long out = parking.count(Parking.OUT, COUNTED);
        oldestPending = oldest(oldestPending, parking.oldest(Parking.OUT));
        oldestParked = oldest(oldestParked, parking.oldest(Parking.RETRIES));
        long backlog = all ? ready : Math.max(ready, parking.count(Parking.PENDING, Parking.MOST) - waiting);
        return new RelayStatus(
                relay.name().orElseThrow(),
                relay.lease(),
                relay.paused(),
                backlog + out,
                all,
                oldestPending.map(created -> since(created, relay)),
                oldestParked.map(created -> since(created, relay)),
                waiting + parking.count(Parking.RETRIES, COUNTED),
                parking.count(Parking.DEAD, COUNTED),
                OptionalDouble.empty(),
                relay.unattended(),
                OptionalLong.of(0),
                Optional.empty());
    }

    /** @return whether these were all */
    private boolean lookThroughPending() {
        try (MongoCursor<BsonDocument> cursor = outbox.records()
                .find(Parking.PENDING)
                .projection(OutboxRecord.PLACE)
                .sort(Sorts.ascending(Field.CREATED_AT))
                .batchSize(STEP)
                .limit(COUNTED)
                .cursor()) {
            RecordChunks chunks = new RecordChunks(cursor, new Limits(STEP, Long.MAX_VALUE), OutboxRecord.POSITION);
            while (chunks.hasNext()) {
                add(chunks.next());
            }
        }
        return ready + waiting < COUNTED;
    }

    private void add(List<OutboxRecord> chunk) {
        Set<Utf8> closed = parking.closedAmong(chunk);
        for (OutboxRecord record : chunk) {
            if (closed.contains(record.orderKey())) {
                waiting++;
                oldestParked = oldest(oldestParked, Optional.of(record));
            } else {
                ready++;
                oldestPending = oldest(oldestPending, Optional.of(record));
            }
        }
    }

    /** Without a creation time, the age of a record is unknown. */
    private static Optional<Instant> oldest(Optional<Instant> known, Optional<OutboxRecord> other) {
        Optional<Instant> created = other.map(OutboxRecord::createdAt).filter(time -> !time.equals(Instant.EPOCH));
        return Stream.concat(known.stream(), created.stream()).min(Comparator.naturalOrder());
    }

    private static Duration since(Instant created, RelayDocument relay) {
        return created.isBefore(relay.now()) ? Duration.between(created, relay.now()) : Duration.ZERO;
    }
}
