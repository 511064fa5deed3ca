package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDateTime;
import org.bson.conversions.Bson;

/** Lists parked and dead records. A cursor is a record's time and its rank within that millisecond. */
final class ParkedList {
    private static final int RANK_BITS = 20;
    private static final long YEAR_2000 = 946_684_800_000L;

    private final Parking parking;

    private record Found(OutboxRecord record, ParkedState state) {}

    ParkedList(Parking parking) {
        this.parking = parking;
    }

    List<ParkedEvent> list(ParkedQuery query) {
        long from = (query.afterNumber() >> RANK_BITS) + YEAR_2000;
        int limit = query.atMost() + (int) (query.afterNumber() & ((1 << RANK_BITS) - 1)) + 1;
        Bson later =
                Filters.gte(Field.CREATED_AT, new BsonDateTime(query.after().isEmpty() ? 0 : from));
        List<Found> found = new ArrayList<>();
        for (ParkedState state : ParkedState.values()) {
            if (query.state().isEmpty() || query.state().get() == state) {
                SelectedRecords.in(parking, state, later, limit).forEach(record -> found.add(new Found(record, state)));
            }
        }
        found.sort(Comparator.comparing(Found::record, OutboxRecord.POSITION));
        return page(found, query);
    }

    private static List<ParkedEvent> page(List<Found> found, ParkedQuery query) {
        List<ParkedEvent> events = new ArrayList<>();
        Instant last = Instant.MIN;
        long rank = 0;
        for (Found one : found) {
            Instant created = one.record().createdAt();
            rank = created.equals(last) ? rank + 1 : 0;
            last = created;
            long cursor = cursor(one.record()) + rank;
            if (cursor > query.afterNumber() && events.size() < query.atMost()) {
                events.add(event(cursor, one.record(), one.state()));
            }
        }
        return events;
    }

    private static long cursor(OutboxRecord record) {
        return (record.createdAt().toEpochMilli() - YEAR_2000) << RANK_BITS;
    }

    static ParkedEvent event(OutboxRecord record, ParkedState state) {
        return event(cursor(record), record, state);
    }

    private static ParkedEvent event(long cursor, OutboxRecord record, ParkedState state) {
        boolean waits = state == ParkedState.WAITING;
        Optional<Instant> next = record.nextAttemptAt().filter(at -> at.isAfter(Instant.EPOCH));
        return new ParkedEvent(
                String.valueOf(cursor),
                record.eventId(),
                record.type().toString(),
                state,
                record.timesSent(),
                waits ? Optional.empty() : record.lastError(),
                next,
                waits ? Optional.empty() : record.lastErrorAt(),
                record.holdsKey());
    }
}
