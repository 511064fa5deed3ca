package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Letters.letter;
import static dev.waybill.rabbitmq.Letters.letters;
import static dev.waybill.rabbitmq.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.Sender;
import dev.waybill.tck.destination.SentMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RabbitDestinationTest {
    @RegisterExtension
    private static final Broker broker = new Broker();

    private final List<Sender> opened = new ArrayList<>();
    private boolean alarmed;

    @AfterEach
    void close() {
        if (alarmed) {
            broker.server().clearMemoryAlarm();
        }
        opened.forEach(Sender::close);
    }

    @Test
    void a_message_is_persistent_and_has_its_properties() throws Exception {
        String topic = broker.newTopic();
        assertThat(outcomes(connect().publish(List.of(letter(topic, "id-1"))))).containsExactly(DELIVERED);

        List<GetResponse> received = new ArrayList<>();
        broker.eachOn(topic, received::add);
        BasicProperties properties = received.get(0).getProps();
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getMessageId()).isEqualTo("id-1");
        assertThat(properties.getType()).isEqualTo("contract.sent.v1");
        assertThat(properties.getContentType()).isEqualTo("application/json");
        assertThat(properties.getTimestamp()).isEqualTo(Date.from(SentMessage.CREATED_AT));
        assertThat(properties.getHeaders().get(RabbitDestination.KEY_HEADER)).hasToString("key of id-1");
        assertThat(received.get(0).getEnvelope().getRoutingKey()).isEqualTo(topic);
        assertThat(received.get(0).getEnvelope().getExchange()).isEqualTo(Broker.EXCHANGE);
    }

    @Test
    void the_content_type_is_what_the_format_says() throws Exception {
        String topic = broker.newTopic();
        OutboundMessage message =
                Letters.withHeader(letter(topic, "1"), "content-type", "text/x".getBytes(StandardCharsets.UTF_8));
        assertThat(outcomes(connect().publish(List.of(message)))).containsExactly(DELIVERED);
        broker.eachOn(topic, got -> assertThat(got.getProps().getContentType()).isEqualTo("text/x"));
    }

    @Test
    void one_message_of_a_key_is_in_flight_at_a_time() {
        assertThat(connect().guarantees().order()).isEqualTo(KeyOrder.ONE_AT_A_TIME);
        assertThat(connect().guarantees().maxMessageBytes()).isEqualTo(RabbitOptions.MAX_MESSAGE_BYTES);
    }

    @Test
    void of_two_messages_with_one_id_each_has_its_own_outcome() throws Exception {
        String bound = broker.newTopic();
        String unbound = Broker.unusedTopic();
        Sender destination = connect();
        List<OutboundMessage> batch = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            batch.add(letter(i % 3 == 1 ? unbound : bound, "same"));
        }
        List<Delivery> outcomes = outcomes(destination.publish(batch));
        for (int i = 0; i < 500; i++) {
            assertThat(outcomes.get(i))
                    .as("outcome %d", i)
                    .isInstanceOf(i % 3 == 1 ? Refused.class : DELIVERED.getClass());
        }
        assertThat(broker.textsOn(bound)).hasSize(333);
    }

    @Test
    void the_default_exchange_routes_by_queue_name() throws Exception {
        String queue = broker.newTopic();
        Sender destination = connect(broker.options().exchange(""));
        assertThat(outcomes(destination.publish(List.of(letter(queue, "1"))))).containsExactly(DELIVERED);
        Delivery missing = outcomes(destination.publish(List.of(letter("no.such.queue", "2"))))
                .get(0);
        assertThat(((Refused) missing).error()).contains("no.such.queue");
        assertThat(broker.textsOn(queue)).containsExactly("1");
    }

    @Test
    void a_topology_is_declared_when_asked_for_and_is_durable() throws Exception {
        Topology topology = Topology.NONE
                .topicExchange("declared.exchange")
                .queue("declared.queue", "declared.exchange", "declared.key")
                .queue("short.queue", Map.of("x-max-length", 1))
                .binding("short.queue", "declared.exchange", "short.#");
        RabbitOptions options = broker.options().topology(topology).exchange("declared.exchange");
        assertThat(outcomes(connect(options).publish(List.of(letter("declared.key", "1"), letter("short.one", "2")))))
                .containsExactly(DELIVERED, DELIVERED);
        assertThat(broker.server().control("list_queues", "name", "durable", "auto_delete", "arguments"))
                .contains("declared.queue\ttrue\tfalse\t[]", "short.queue\ttrue\tfalse\t[{\"x-max-length\",1}]");
        broker.kill();
        broker.bringBack();
        assertThat(broker.textsOn("declared.queue")).containsExactly("1");
        assertThat(outcomes(connect(options).publish(List.of(letter("declared.key", "3")))))
                .containsExactly(DELIVERED);
    }

    @Test
    void a_connection_lost_while_idle_is_replaced() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect();
        assertThat(outcomes(destination.publish(List.of(letter(topic, "1"))))).containsExactly(DELIVERED);
        broker.kill();
        broker.bringBack();
        Broker.eventually(
                () -> outcomes(destination.publish(List.of(letter(topic, "2")))).equals(List.of(DELIVERED)));
        assertThat(broker.textsOn(topic)).startsWith("1").endsWith("2");
    }

    @Test
    void while_publishers_are_blocked_it_waits() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect();
        assertThat(outcomes(destination.publish(List.of(letter(topic, "before")))))
                .containsExactly(DELIVERED);
        raiseMemoryAlarm();
        List<OutboundMessage> letters = letters(topic, "blocked-", 2000);
        List<CompletionStage<List<Delivery>>> stages = new ArrayList<>();
        for (int i = 0; i < 2000; i += 100) {
            stages.add(destination.publish(letters.subList(i, i + 100)));
        }
        Broker.eventually(() -> broker.server().connectionStates().contains("blocked"));
        assertThat(stages.get(19).toCompletableFuture()).isNotDone();

        broker.server().clearMemoryAlarm();
        for (CompletionStage<List<Delivery>> stage : stages) {
            assertThat(outcomes(stage)).containsOnly(DELIVERED);
        }
        assertThat(broker.textsOn(topic)).hasSize(2001);
    }

    /** The messages are larger than any socket buffer: if the broker does not read, the write blocks. */
    @Test
    void an_abort_ends_a_blocked_write_and_nothing_arrives_afterwards() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect();
        assertThat(outcomes(destination.publish(List.of(letter(topic, "before")))))
                .containsExactly(DELIVERED);
        raiseMemoryAlarm();
        CompletionStage<List<Delivery>> stuck =
                destination.publish(List.of(letter(topic, "small"), letter(topic, "huge", new byte[16_000_000])));
        Broker.eventually(() -> broker.server().connectionStates().contains("blocked"));
        assertThat(stuck.toCompletableFuture()).isNotDone();

        destination.abort();
        assertThat(stuck.toCompletableFuture()).isDone();
        assertThat(outcomes(stuck)).hasSize(2).allMatch(outcome -> outcome instanceof Unavailable);
        broker.server().clearMemoryAlarm();
        assertThat(outcomes(destination.publish(List.of(letter(topic, "after")))))
                .containsExactly(DELIVERED);
        assertThat(broker.textsOn(topic)).startsWith("before").endsWith("after").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void a_broker_that_blocks_for_too_long_is_unavailable() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect(broker.options().confirmTimeout(Duration.ofMillis(700)));
        raiseMemoryAlarm();
        List<Delivery> outcomes = outcomes(destination.publish(letters(topic, "blocked-", 10)));
        assertThat(outcomes).hasSize(10).allMatch(outcome -> outcome instanceof Unavailable);
        assertThat(((Unavailable) outcomes.get(0)).error())
                .contains("had not confirmed 10 messages", "blocks publishers", "memory");
        broker.server().clearMemoryAlarm();
        destination.abort();
        assertThat(outcomes(destination.publish(List.of(letter(topic, "after")))))
                .containsExactly(DELIVERED);
    }

    private void raiseMemoryAlarm() {
        alarmed = true;
        broker.server().raiseMemoryAlarm();
    }

    private Sender connect() {
        return connect(broker.options());
    }

    private Sender connect(RabbitOptions options) {
        Sender destination = new Sender(RabbitDestination.of(options));
        opened.add(destination);
        return destination;
    }
}
