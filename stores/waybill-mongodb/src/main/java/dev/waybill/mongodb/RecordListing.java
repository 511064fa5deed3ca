package dev.waybill.mongodb;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/**
 * A page of records, newest first, along the index of status and time. Other filters are applied record by record, so a page
 * reads a bounded number of them.
 */
final class RecordListing {
    private static final int LOOKED = 20_000;
    private static final int STEP = 1_000;

    private final OutboxCollections outbox;
    private final Parking parking;
    private final EventQuery query;
    private final Optional<String> relay;
    private final List<EventSummary> page = new ArrayList<>();
    private Optional<Place> last;
    private int lookedAt;

    /** Where a page ended: behind the record with this time, version and id. */
    private record Place(Instant time, long version, String name) {
        static Place of(OutboxRecord record) {
            return new Place(
                    record.createdAt(), record.aggregateVersion().orElse(Long.MIN_VALUE), record.documentName());
        }

        static Place parse(String cursor) {
            String[] parts = cursor.split("/", 3);
            try {
                return new Place(Instant.ofEpochMilli(Long.parseLong(parts[0])), Long.parseLong(parts[1]), parts[2]);
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw EventQuery.notACursor(cursor);
            }
        }

        boolean isBehind(Place other) {
            int byTime = time.compareTo(other.time);
            int byVersion = byTime == 0 ? Long.compare(version, other.version) : byTime;
            return (byVersion == 0 ? name.compareTo(other.name) : byVersion) < 0;
        }

        @Override
        public String toString() {
            return time.toEpochMilli() + "/" + version + "/" + name;
        }
    }

    RecordListing(OutboxCollections outbox, EventQuery query) {
        this.outbox = outbox;
        this.parking = new Parking(outbox);
        this.query = query;
        this.last = query.after().map(Place::parse);
        this.relay = RelayDocument.read(outbox)
                .flatMap(RelayDocument::name)
                .filter(name ->
                        query.relay().isEmpty() || query.relay().get().value().equals(name));
    }

    EventListing page() {
        if (query.state().isPresent() && relay.isEmpty()) {
            return new EventListing(List.of(), Optional.empty(), 0);
        }
        try (MongoCursor<BsonDocument> cursor = outbox.records()
                .find(which())
                .projection(OutboxRecord.THIN)
                .sort(Sorts.descending(Field.CREATED_AT))
                .batchSize(STEP)
                .cursor()) {
            RecordChunks chunks =
                    new RecordChunks(cursor, new Limits(STEP, Long.MAX_VALUE), OutboxRecord.POSITION.reversed());
            boolean more = true;
            while (more && chunks.hasNext() && lookedAt < LOOKED) {
                more = add(chunks.next());
            }
            boolean through = more && !chunks.hasNext();
            return new EventListing(page, through ? Optional.empty() : last.map(Place::toString), lookedAt);
        }
    }

    private Bson which() {
        List<Bson> all = new ArrayList<>();
        all.add(Filters.in(Field.STATUS, statuses()));
        query.filter().from().ifPresent(from -> all.add(Filters.gte(Field.CREATED_AT, time(from))));
        query.filter().until().ifPresent(until -> all.add(Filters.lt(Field.CREATED_AT, time(until))));
        last.ifPresent(place -> all.add(Filters.lte(Field.CREATED_AT, time(place.time()))));
        return Filters.and(all);
    }

    private static BsonDateTime time(Instant instant) {
        return new BsonDateTime(instant.toEpochMilli());
    }

    private List<String> statuses() {
        List<String> all = List.of(Field.PENDING, Field.PROCESSING, Field.FAILED, Field.PUBLISHED);
        return query.state()
                .map(state -> switch (state) {
                    case PENDING -> List.of(Field.PENDING, Field.PROCESSING);
                    case PARKED -> List.of(Field.PENDING, Field.PROCESSING, Field.FAILED);
                    case DEAD -> List.of(Field.FAILED);
                    case PUBLISHED, DISCARDED -> List.of(Field.PUBLISHED);
                })
                .orElse(all);
    }

    /** @return false when the page is full and there is more */
    private boolean add(List<OutboxRecord> chunk) {
        Set<Utf8> closed = parking.closedAmong(chunk);
        for (OutboxRecord record : chunk) {
            Place place = Place.of(record);
            if (last.isPresent() && !place.isBehind(last.get())) {
                continue;
            }
            EventHistory.State state = record.state(closed.contains(record.orderKey()));
            boolean meant = record.isMeantBy(query.filter())
                    && query.state().filter(asked -> asked != state).isEmpty();
            if (meant && page.size() == query.atMost()) {
                return false;
            }
            lookedAt++;
            last = Optional.of(place);
            if (meant) {
                page.add(summary(record, state));
            }
        }
        return true;
    }

    private EventSummary summary(OutboxRecord record, EventHistory.State state) {
        boolean failed = (state == EventHistory.State.PARKED && record.isRetry()) || state == EventHistory.State.DEAD;
        return new EventSummary(
                record.eventId(),
                record.type().toString(),
                record.aggregateType().toString(),
                Optional.of(record.aggregateId().toString()),
                record.createdAt(),
                relay.stream()
                        .map(name -> new EventSummary.Standing(
                                name,
                                state,
                                failed ? record.timesSent() : 0,
                                failed ? record.lastError() : Optional.empty()))
                        .toList());
    }
}
