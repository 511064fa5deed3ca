package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.Format;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Route;
import dev.waybill.testkit.Await;
import dev.waybill.trials.Messages.Message;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code outbox} of the order service, created and filled with plain SQL and relayed to Kafka; checks every column
 * afterwards.
 */
class OrdersTableTest {
    private static final String FIRST = "00000000-0000-7000-8000-00000000000a";
    private static final String LOST = "00000000-0000-7000-8000-00000000000b";
    private static final String BEHIND = "00000000-0000-7000-8000-00000000000c";
    private static final String OTHER_ORDER = "00000000-0000-7000-8000-0000000000f0";
    private static final String ORDER = "00000000-0000-7000-8000-0000000000f1";
    private static final String TABLE = """
            create table outbox (
                id UUID primary key,
                aggregate_type VARCHAR(255) not null,
                aggregate_id UUID not null,
                event_type VARCHAR(255) not null,
                payload TEXT not null,
                status VARCHAR(50) not null,
                created_at TIMESTAMP not null,
                sent_at TIMESTAMP null,
                error_message TEXT null)""";
    /** Those of the specification: 10 rows every 5 s, and retries after 100, 200, 400, 800 and 1,600 ms. */
    private static final RelayOptions SETTINGS =
            RelayOptions.of(TableLayout.orders().relayDefaults());

    private final TableScene scene =
            new TableScene(TableScene.onPostgres(), TableLayout.orders(), "outbox", Format.raw());

    @BeforeEach
    void create() throws Exception {
        scene.create(
                TABLE,
                "create index idx_outbox_status_created on outbox (status, created_at)",
                "create index idx_outbox_aggregate on outbox (aggregate_id)");
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void rows_are_sent_or_failed_after_five_retries_and_sent_again_when_a_person_requeues_them() throws Exception {
        failOne("orders-tool");
        scene.requeue(LOST);
        assertSentAtLast("orders-tool");
    }

    /** The sweep checks rows that were dead once a minute. */
    @Test
    @Tag("full")
    void a_person_makes_a_failed_row_new_with_plain_sql() throws Exception {
        failOne("orders-sql");
        scene.execute("update outbox set status = 'NEW' where id = '" + LOST + "'");
        Await.until(
                "the sweep",
                Duration.ofMinutes(3),
                () -> "SENT".equals(scene.row(LOST).get("status")));
        assertSentAtLast("orders-sql");
    }

    @Test
    @Tag("full")
    void if_outages_count_a_row_fails_after_six_sends_to_a_stopped_kafka_and_is_sent_after_a_requeue()
            throws Exception {
        Topics.make(List.of("orders-away.OrderCreated"));
        scene.startRelay(SETTINGS.countOutages(true), Route.template("orders-away.{type}"));
        TrialServers.withoutKafka(() -> {
            try {
                scene.append(insert(LOST, ORDER, "OrderCreated"));
                scene.await(LOST, "status", "FAILED");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        scene.assertChanged(LOST, "status", "error_message");
        assertThat(scene.parked(LOST).attempts()).isEqualTo(6);
        scene.requeue(LOST);
        scene.await(LOST, "status", "SENT");
        assertThat(Messages.on("orders-away.OrderCreated")).hasSize(1);
    }

    private void failOne(String topics) throws Exception {
        Topics.make(List.of(topics + ".OrderCreated"));
        scene.append(
                insert(FIRST, OTHER_ORDER, "OrderCreated"),
                insert(LOST, ORDER, "OrderLost"),
                insert(BEHIND, ORDER, "OrderCreated"));
        scene.startRelay(SETTINGS, Route.template(topics + ".{type}"));

        scene.await(LOST, "status", "FAILED");
        scene.await(BEHIND, "status", "SENT");
        scene.assertChanged(FIRST, "status", "sent_at");
        scene.assertChanged(LOST, "status", "error_message");
        scene.assertError(LOST, "error_message", topics + ".OrderLost");
        assertThat(scene.parked(LOST).attempts()).isEqualTo(6);
        assertThat(scene.count("status = 'SENT' and sent_at between created_at and timezone('utc', now())"))
                .isEqualTo(2);
        assertThat(Messages.on(topics + ".OrderCreated"))
                .hasSize(2)
                .extracting(Message::text)
                .containsOnly(TableScene.PAYLOAD);
        Topics.make(List.of(topics + ".OrderLost"));
    }

    private void assertSentAtLast(String topics) throws Exception {
        scene.await(LOST, "status", "SENT");
        scene.assertChanged(LOST, "status", "sent_at", "error_message");
        assertThat(Messages.on(topics + ".OrderLost"))
                .singleElement()
                .satisfies(message -> assertThat(message.headers()).containsEntry("event-id", LOST));
    }

    private static String insert(String id, String orderId, String type) {
        return "insert into outbox (id, aggregate_type, aggregate_id, event_type, payload, status, created_at)"
                + " values ('%s', 'Order', '%s', '%s', '%s', 'NEW', timezone('utc', clock_timestamp()))"
                        .formatted(id, orderId, type, TableScene.PAYLOAD);
    }
}
