package dev.waybill.jdbc.layout;

import static dev.waybill.jdbc.layout.TableColumn.AGGREGATE_ID;
import static dev.waybill.jdbc.layout.TableColumn.AGGREGATE_TYPE;
import static dev.waybill.jdbc.layout.TableColumn.AGGREGATE_VERSION;
import static dev.waybill.jdbc.layout.TableColumn.ATTEMPTS;
import static dev.waybill.jdbc.layout.TableColumn.CONTENT_TYPE;
import static dev.waybill.jdbc.layout.TableColumn.CREATED_AT;
import static dev.waybill.jdbc.layout.TableColumn.ERROR;
import static dev.waybill.jdbc.layout.TableColumn.ERROR_AT;
import static dev.waybill.jdbc.layout.TableColumn.HEADERS;
import static dev.waybill.jdbc.layout.TableColumn.ID;
import static dev.waybill.jdbc.layout.TableColumn.KEY;
import static dev.waybill.jdbc.layout.TableColumn.LOCKED_BY;
import static dev.waybill.jdbc.layout.TableColumn.LOCKED_UNTIL;
import static dev.waybill.jdbc.layout.TableColumn.NEXT_ATTEMPT_AT;
import static dev.waybill.jdbc.layout.TableColumn.PAYLOAD;
import static dev.waybill.jdbc.layout.TableColumn.PAYLOAD_BYTES;
import static dev.waybill.jdbc.layout.TableColumn.PUBLISHED_AT;
import static dev.waybill.jdbc.layout.TableColumn.SEQUENCE;
import static dev.waybill.jdbc.layout.TableColumn.STATE;
import static dev.waybill.jdbc.layout.TableColumn.TOPIC;
import static dev.waybill.jdbc.layout.TableColumn.TYPE;
import static dev.waybill.jdbc.layout.TableColumn.VERSION;

import dev.waybill.Event;
import dev.waybill.RelayDefaults;
import dev.waybill.RetryPolicy;
import dev.waybill.jdbc.layout.TableLayout.IdKind;
import dev.waybill.jdbc.layout.TableLayout.PayloadKind;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The preset layouts: well-known outbox tables, and Waybill's own. */
final class LayoutPresets {
    private static final Map<String, Supplier<TableLayout>> BY_NAME = new LinkedHashMap<>();

    static {
        BY_NAME.put("polyshop", LayoutPresets::polyshop);
        BY_NAME.put("orders", LayoutPresets::orders);
        BY_NAME.put("pubsub", LayoutPresets::pubsub);
        BY_NAME.put("notifications", LayoutPresets::notifications);
        BY_NAME.put("waybill", LayoutPresets::waybill);
        BY_NAME.put("debezium", LayoutPresets::debezium);
    }

    private LayoutPresets() {}

    static TableLayout byName(String name) {
        Supplier<TableLayout> preset = BY_NAME.get(name);
        if (preset == null) {
            throw new IllegalArgumentException("There is no layout \"" + name + "\": use one of "
                    + String.join(", ", BY_NAME.keySet())
                    + "; or describe a table of your own: with the key layout in a configuration, or"
                    + " TableLayout.of in Java.");
        }
        return preset.get();
    }

    static TableLayout polyshop() {
        return TableLayout.of("outbox_events")
                .name("polyshop")
                .column(ID, "id")
                .idKind(IdKind.UUID)
                .column(AGGREGATE_ID, "aggregate_id", 255)
                .column(TYPE, "event_type", 255)
                .column(VERSION, "version")
                .column(PAYLOAD, "payload")
                .column(CREATED_AT, "created_at")
                .state(new TableState.Flag())
                .column(STATE, "processed")
                .column(PUBLISHED_AT, "processed_at")
                .column(ERROR, "error_message")
                .relayDefaults(RelayDefaults.standard()
                        .batch(100)
                        .pollEvery(Duration.ofSeconds(1))
                        .retry(new RetryPolicy(
                                RetryPolicy.UNLIMITED, Duration.ofSeconds(1), 2, Duration.ofSeconds(30))))
                .build();
    }

    static TableLayout orders() {
        return TableLayout.of("outbox")
                .name("orders")
                .column(ID, "id")
                .idKind(IdKind.UUID)
                .column(AGGREGATE_TYPE, "aggregate_type", 255)
                .column(AGGREGATE_ID, "aggregate_id")
                .aggregateIdKind(IdKind.UUID)
                .column(TYPE, "event_type", 255)
                .column(PAYLOAD, "payload")
                .payloadKind(PayloadKind.TEXT)
                .state(new TableState.Words("NEW", "SENT", Optional.of("FAILED")))
                .column(STATE, "status", 50)
                .column(CREATED_AT, "created_at")
                .column(PUBLISHED_AT, "sent_at")
                .column(ERROR, "error_message")
                .timesIn(ZoneOffset.UTC)
                .index("idx_outbox_status_created", STATE, CREATED_AT)
                .index("idx_outbox_aggregate", AGGREGATE_ID)
                .relayDefaults(RelayDefaults.standard()
                        .batch(10)
                        .pollEvery(Duration.ofSeconds(5))
                        .retry(new RetryPolicy(5, Duration.ofMillis(100), 2, Duration.ofMillis(1_600))))
                .build();
    }

    static TableLayout pubsub() {
        return TableLayout.of("outbox_events")
                .name("pubsub")
                .column(ID, "id")
                .idKind(IdKind.UUID)
                .column(TYPE, "event_type", 255)
                .column(AGGREGATE_TYPE, "aggregate_type", 255)
                .column(AGGREGATE_ID, "aggregate_id", 255)
                .column(PAYLOAD, "payload_json")
                .column(CREATED_AT, "created_at")
                .state(new TableState.PublishedTime())
                .column(PUBLISHED_AT, "published_at")
                .column(ATTEMPTS, "attempt_count")
                .maxAttempts(TableLayoutBuilder.DEFAULT_MAX_ATTEMPTS)
                .column(ERROR, "last_error")
                .relayDefaults(everyPoll(50, Duration.ofMillis(500)))
                .build();
    }

    static TableLayout notifications() {
        return TableLayout.of("EventOutbox")
                .name("notifications")
                .column(ID, "event_id", 255)
                .column(TYPE, "event_type", 255)
                .column(AGGREGATE_TYPE, "aggregate_type", 255)
                .column(AGGREGATE_ID, "aggregate_id")
                .aggregateIdKind(IdKind.NUMBER)
                .state(new TableState.Words("PENDING", "PROCESSED", Optional.of("FAILED")))
                .column(STATE, "status", 50)
                .column(PAYLOAD, "payload")
                .column(CREATED_AT, "created_at")
                .column(PUBLISHED_AT, "published_at")
                .timesIn(ZoneOffset.UTC)
                .index("idx_event_outbox_status_created", STATE, CREATED_AT)
                .relayDefaults(everyPoll(100, Duration.ofSeconds(1)).initialDelay(Duration.ofSeconds(2)))
                .build();
    }

    /** Failed rows are sent again with each poll, without a maximum of the relay. */
    private static RelayDefaults everyPoll(int batch, Duration poll) {
        return RelayDefaults.standard()
                .batch(batch)
                .pollEvery(poll)
                .retry(new RetryPolicy(RetryPolicy.UNLIMITED, poll, 1, poll));
    }

    static TableLayout waybill() {
        return TableLayout.of("waybill_event")
                .name("waybill")
                .column(SEQUENCE, "seq")
                .column(ID, "id", 255)
                .column(TYPE, "type", Event.MAX_NAME_LENGTH)
                .column(VERSION, "version")
                .column(AGGREGATE_TYPE, "aggregate_type", Event.MAX_NAME_LENGTH)
                .column(AGGREGATE_ID, "aggregate_id", Event.MAX_KEY_LENGTH)
                .column(AGGREGATE_VERSION, "aggregate_version")
                .column(TOPIC, "topic", Event.MAX_NAME_LENGTH)
                .column(KEY, "event_key", Event.MAX_KEY_LENGTH)
                .column(PAYLOAD, "payload")
                .payloadKind(PayloadKind.TEXT)
                .column(PAYLOAD_BYTES, "payload_bytes")
                .column(CONTENT_TYPE, "content_type", 255)
                .column(HEADERS, "headers")
                .column(CREATED_AT, "created_at")
                .state(new TableState.Words("PENDING", "PUBLISHED", Optional.of("DEAD")))
                .column(STATE, "status", 50)
                .column(PUBLISHED_AT, "published_at")
                .column(ATTEMPTS, "attempts")
                .column(NEXT_ATTEMPT_AT, "next_attempt_at")
                .column(LOCKED_BY, "locked_by", 255)
                .column(LOCKED_UNTIL, "locked_until")
                .column(ERROR, "last_error")
                .column(ERROR_AT, "last_error_at")
                .build();
    }

    /** It has no order of its own; a sequence column is added by {@code column(SEQUENCE, …)}. */
    static TableLayout debezium() {
        return TableLayout.of("outbox")
                .name("debezium")
                .column(ID, "id")
                .idKind(IdKind.UUID)
                .column(AGGREGATE_TYPE, "aggregatetype", 255)
                .column(AGGREGATE_ID, "aggregateid", 255)
                .column(TYPE, "type", 255)
                .column(PAYLOAD, "payload")
                .payloadKind(PayloadKind.JSONB)
                .published(TableLayout.Published.DELETE)
                .build();
    }
}
