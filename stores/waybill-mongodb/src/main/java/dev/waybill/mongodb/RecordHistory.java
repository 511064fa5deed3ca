package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import java.util.List;
import java.util.Optional;

/** The history of one event of the outbox. */
final class RecordHistory {
    private final OutboxCollections outbox;

    RecordHistory(OutboxCollections outbox) {
        this.outbox = outbox;
    }

    Optional<EventHistory> of(String eventId) {
        return find(eventId)
                .map(record -> new EventHistory(
                        record.eventId(),
                        record.type().toString(),
                        record.aggregateType().toString(),
                        Optional.of(record.aggregateId().toString()),
                        record.createdAt(),
                        record.payload().length,
                        RelayDocument.read(outbox).flatMap(RelayDocument::name).stream()
                                .map(relay -> entry(relay, record))
                                .toList()));
    }

    Followers behind(String eventId, int atMost) {
        Parking parking = new Parking(outbox);
        return find(eventId)
                .filter(record -> record.holdsKey()
                        || record.state(!parking.closedAmong(List.of(record)).isEmpty()) == EventHistory.State.PARKED)
                .map(record -> Followers.first(
                        parking.behind(record, atMost + 1).stream()
                                .map(next -> ParkedList.event(next, ParkedState.WAITING))
                                .toList(),
                        atMost))
                .orElse(Followers.NONE);
    }

    private Optional<OutboxRecord> find(String eventId) {
        return Optional.ofNullable(outbox.records()
                        .find(Filters.eq(Field.EVENT_ID, eventId))
                        .first())
                .map(OutboxRecord::new);
    }

    private EventHistory.Entry entry(String relay, OutboxRecord record) {
        boolean closed = !new Parking(outbox).closedAmong(List.of(record)).isEmpty();
        EventHistory.State state = record.state(closed);
        return new EventHistory.Entry(relay, state, parked(record, state), record.publishedAt(), record.discarded());
    }

    private static Optional<ParkedEvent> parked(OutboxRecord record, EventHistory.State state) {
        return switch (state) {
            case DEAD -> Optional.of(ParkedList.event(record, ParkedState.DEAD));
            case PARKED ->
                Optional.of(ParkedList.event(record, record.isRetry() ? ParkedState.DUE : ParkedState.WAITING));
            case PENDING, PUBLISHED, DISCARDED -> Optional.empty();
        };
    }

    Optional<Payload> payload(String eventId) {
        return find(eventId).map(RecordHistory::payload);
    }

    private static Payload payload(OutboxRecord record) {
        if (!record.contentType().equals(OutboxRecord.JSON)) {
            return Payload.binary(record.payload(), record.contentType());
        }
        try {
            return Payload.json(record.payload());
        } catch (InvalidEventException notJson) {
            return Payload.binary(record.payload(), "text/plain");
        }
    }
}
