package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.Format;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.route.Route;
import dev.waybill.trials.Messages.Message;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code outbox_events} of the PolyShop services, created and filled with plain SQL and relayed to Kafka; checks every
 * column afterwards.
 */
class PolyshopTableTest {
    private static final String FIRST = "00000000-0000-7000-8000-00000000000a";
    private static final String LATE = "00000000-0000-7000-8000-00000000000b";
    private static final String BEHIND = "00000000-0000-7000-8000-00000000000c";
    private static final String OTHER = "00000000-0000-7000-8000-00000000000d";
    private static final String TOPIC = "polyshop.order.placed.v1";
    private static final String LATE_TOPIC = "polyshop.order.late.v1";
    private static final String TABLE = """
            create table outbox_events (
                id uuid primary key,
                aggregate_id varchar(255) not null,
                event_type varchar(255) not null,
                version integer not null default 1,
                payload json not null,
                created_at timestamptz not null default now(),
                processed boolean not null default false,
                processed_at timestamptz,
                error_message text)""";

    private final TableScene scene = new TableScene(
            TableScene.onPostgres(), TableLayout.polyshop(), "outbox_events", Format.envelope("order-service"));

    @BeforeEach
    void create() throws Exception {
        scene.create(TABLE);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void rows_are_processed_and_one_whose_topic_is_missing_holds_only_its_key_until_it_is_there() throws Exception {
        Topics.make(List.of(TOPIC));
        scene.append(
                insert(FIRST, "o-1", TOPIC, 1),
                insert(LATE, "o-2", LATE_TOPIC, 2),
                insert(BEHIND, "o-2", TOPIC, 3),
                insert(OTHER, "o-3", TOPIC, 4));
        scene.startRelay(TableScene.PATIENT, Route.byType());

        scene.await(FIRST, "processed", "t");
        scene.await(OTHER, "processed", "t");
        scene.awaitFilled(LATE, "error_message");
        assertEnvelope(Messages.on(TOPIC));
        scene.assertChanged(FIRST, "processed", "processed_at");
        scene.assertChanged(OTHER, "processed", "processed_at");
        scene.assertChanged(LATE, "error_message");
        scene.assertError(LATE, "error_message", LATE_TOPIC);
        scene.assertUnchanged(BEHIND);

        Topics.make(List.of(LATE_TOPIC));
        scene.await(BEHIND, "processed", "t");
        scene.assertChanged(LATE, "processed", "processed_at", "error_message");
        scene.assertChanged(BEHIND, "processed", "processed_at");
        assertThat(Messages.on(LATE_TOPIC)).hasSize(1);
        assertThat(Messages.on(TOPIC)).hasSize(3);
        assertThat(scene.count("processed and processed_at between created_at and now()"))
                .isEqualTo(4);
    }

    @Test
    void a_row_that_is_given_up_stays_unprocessed_with_its_error() throws Exception {
        scene.append(insert(FIRST, "o-1", "polyshop.none.v1", 1));
        scene.startRelay(TableScene.TWICE, Route.byType());

        scene.awaitDead(FIRST);
        scene.assertChanged(FIRST, "error_message");
        scene.assertError(FIRST, "error_message", "polyshop.none.v1");
        assertThat(scene.parked(FIRST).attempts()).isEqualTo(3);
    }

    private static String insert(String id, String aggregateId, String type, int micros) {
        return "insert into outbox_events (id, aggregate_id, event_type, payload, created_at) values ('%s', '%s', '%s', '%s',"
                        .formatted(id, aggregateId, type, TableScene.PAYLOAD)
                + " '2026-11-01 08:30:00.00000" + micros + "+00')";
    }

    private static void assertEnvelope(List<Message> messages) {
        assertThat(messages).extracting(Message::key).containsExactlyInAnyOrder("o-1", "o-3");
        assertThat(messages)
                .filteredOn(message -> message.key().equals("o-1"))
                .singleElement()
                .satisfies(message -> {
                    assertThat(message.text())
                            .isEqualTo("{\"eventId\":\"" + FIRST
                                    + "\",\"timestamp\":\"2026-11-01T08:30:00.000001Z\",\"eventType\":\"" + TOPIC
                                    + "\",\"version\":1,\"source\":\"order-service\",\"data\":" + TableScene.PAYLOAD
                                    + ",\"metadata\":{\"idempotencyKey\":\"" + FIRST + "\"}}");
                    assertThat(message.headers())
                            .isEqualTo(
                                    Map.of("event-id", FIRST, "event-type", TOPIC, "content-type", "application/json"));
                });
    }
}
