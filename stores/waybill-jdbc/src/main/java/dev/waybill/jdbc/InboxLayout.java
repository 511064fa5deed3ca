package dev.waybill.jdbc;

import dev.waybill.InvalidEventException;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import dev.waybill.jdbc.kernel.UuidForm;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The table in which an inbox records handled events. The last version seen of an entity is in a separate table, {@code
 * waybill_inbox_version}, for every layout. Immutable.
 */
public final class InboxLayout {
    /** Default of the minimum time that records are kept. */
    public static final Duration DEFAULT_REPLAY_WINDOW = Duration.ofDays(30);

    enum Form {
        /** {@code (consumer, event_id, handled_at)}. */
        WAYBILL,
        /** {@code (event_id uuid, processed_at)}, for one consumer. */
        PROCESSED_EVENTS,
        /** {@code (consumer_group, event_id, entity_id, entity_version, processed_at)}. */
        CONSUMER_GROUPS
    }

    private final Form form;
    private final String table;
    private final Optional<String> onlyConsumer;
    private final Duration replayWindow;

    private InboxLayout(Form form, String table, Optional<String> onlyConsumer, Duration replayWindow) {
        SqlIdentifier.require(table);
        this.form = form;
        this.table = table;
        this.onlyConsumer = onlyConsumer;
        this.replayWindow = replayWindow;
    }

    /** Waybill's own table: any number of consumers, ids of any form. */
    public static InboxLayout waybill() {
        return new InboxLayout(Form.WAYBILL, "waybill_inbox", Optional.empty(), DEFAULT_REPLAY_WINDOW);
    }

    /**
     * {@code processed_events(event_id uuid primary key, processed_at)}, possibly with more columns. It does not distinguish
     * consumers: a second one would treat the first one's events as duplicates, so it is refused.
     *
     * @param consumer the one consumer that uses this table
     */
    public static InboxLayout processedEvents(String consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return new InboxLayout(Form.PROCESSED_EVENTS, "processed_events", Optional.of(consumer), DEFAULT_REPLAY_WINDOW);
    }

    /** {@code processed_events(consumer_group, event_id, entity_id, entity_version, processed_at)}. */
    public static InboxLayout consumerGroups() {
        return new InboxLayout(Form.CONSUMER_GROUPS, "processed_events", Optional.empty(), DEFAULT_REPLAY_WINDOW);
    }

    public InboxLayout table(String name) {
        return new InboxLayout(form, name, onlyConsumer, replayWindow);
    }

    /**
     * How long events can be delivered again, by a replay or a slow broker: younger records are never deleted by an inbox of this
     * layout. Consumers that share a table may have different windows.
     */
    public InboxLayout replayWindow(Duration window) {
        return new InboxLayout(form, table, onlyConsumer, window);
    }

    Form form() {
        return form;
    }

    String tableName() {
        return table;
    }

    /** The column of the consumer, if the table has one. */
    Optional<String> consumerColumn() {
        return switch (form) {
            case WAYBILL -> Optional.of("consumer");
            case PROCESSED_EVENTS -> Optional.empty();
            case CONSUMER_GROUPS -> Optional.of("consumer_group");
        };
    }

    Duration replayWindow() {
        return replayWindow;
    }

    void requireConsumer(String consumer) {
        if (onlyConsumer.isPresent() && !onlyConsumer.get().equals(consumer)) {
            throw new InvalidEventException(
                    "The table " + table + " does not distinguish consumers and belongs to "
                            + onlyConsumer.get() + ", so " + consumer
                            + " would miss the events that consumer has handled: give it its own table, or use InboxLayout.waybill().");
        }
    }

    /** The id as this table stores it. */
    Object idOf(String eventId) {
        if (form != Form.PROCESSED_EVENTS) {
            return eventId;
        }
        return UuidForm.parse(eventId)
                .orElseThrow(() -> new InvalidEventException("The table " + table
                        + " stores event ids as UUIDs, but this one is not a UUID (" + eventId.length()
                        + " characters): use InboxLayout.waybill() for ids of any form."));
    }

    @Override
    public String toString() {
        return "inbox in " + table;
    }
}
