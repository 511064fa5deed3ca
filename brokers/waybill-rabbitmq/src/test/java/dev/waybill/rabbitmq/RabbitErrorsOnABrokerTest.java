package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Letters.letter;
import static dev.waybill.rabbitmq.Letters.letters;
import static dev.waybill.rabbitmq.Letters.outcomes;
import static dev.waybill.rabbitmq.Letters.withHeader;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.tck.destination.Sender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rows of {@link RabbitErrors}, each on a real broker; and each time the neighbours arrive. */
class RabbitErrorsOnABrokerTest {
    @RegisterExtension
    private static final Broker broker = new Broker(Map.of("max_message_size", "100000", "channel_max", "3"));

    private final List<Sender> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Sender::close);
    }

    @Test
    void a_message_without_a_bound_queue_is_refused() throws Exception {
        String topic = Broker.unusedTopic();
        Sender destination = connect(broker.options());
        Refused refused = refusedAmongNeighbours(destination, letter(topic, "1"));
        assertThat(refused.error()).contains(topic, Broker.EXCHANGE, "bind one", "NO_ROUTE");

        broker.bind(topic, Broker.EXCHANGE, Map.of());
        assertThat(publish(destination, letter(topic, "1"))).isEqualTo(DELIVERED);
    }

    @Test
    void a_message_rejected_by_a_full_queue_is_retried() throws Exception {
        String full = broker.newTopic(Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        Sender destination = connect(broker.options());
        assertThat(publish(destination, letter(full, "fills it"))).isEqualTo(DELIVERED);
        Broker.eventually(() -> publish(destination, letter(full, "too many")) instanceof Retry);

        Retry retry = retriedAmongNeighbours(destination, letter(full, "too many"));
        assertThat(retry.error()).contains(full, "nack", "full");
        broker.run(channel -> channel.queuePurge(full));
        Broker.eventually(() -> publish(destination, letter(full, "now")).equals(DELIVERED));
    }

    @Test
    void messages_to_a_missing_exchange_are_retried() throws Exception {
        String topic = Broker.unusedTopic();
        Sender destination = connect(broker.options().exchangeByTopic(Map.of(topic, "missing.exchange")));
        Retry retry = retriedAmongNeighbours(destination, letter(topic, "1"));
        assertThat(retry.error()).contains("missing.exchange", topic, "create it", "404");

        broker.run(channel -> channel.exchangeDeclare("missing.exchange", "topic"));
        broker.bind(topic, "missing.exchange", Map.of());
        Broker.eventually(() -> publish(destination, letter(topic, "1")).equals(DELIVERED));
    }

    @Test
    void an_exchange_deleted_while_it_is_used_is_found_missing() throws Exception {
        String topic = Broker.unusedTopic();
        broker.run(channel -> channel.exchangeDeclare("short.lived", "topic"));
        broker.bind(topic, "short.lived", Map.of());
        Sender destination = connect(broker.options().exchangeByTopic(Map.of(topic, "short.lived")));
        assertThat(publish(destination, letter(topic, "1"))).isEqualTo(DELIVERED);

        broker.run(channel -> channel.exchangeDelete("short.lived"));
        assertThat(retriedAmongNeighbours(destination, letter(topic, "2")).error())
                .contains("short.lived", "404");
    }

    @Test
    void messages_to_a_forbidden_exchange_are_retried() throws Exception {
        String topic = Broker.unusedTopic();
        broker.bind(topic, Broker.FORBIDDEN_EXCHANGE, Map.of());
        Sender destination = connect(broker.options().exchangeByTopic(Map.of(topic, Broker.FORBIDDEN_EXCHANGE)));
        Retry retry = retriedAmongNeighbours(destination, letter(topic, "1"));
        assertThat(retry.error()).contains(Broker.FORBIDDEN_EXCHANGE, topic, "grant it write permission", "403");

        broker.server().setPermissions("waybill", ".*", ".*", ".*");
        try {
            Broker.eventually(() -> publish(destination, letter(topic, "1")).equals(DELIVERED));
        } finally {
            broker.server().setPermissions("waybill", ".*", "^(?!forbidden).*$", ".*");
        }
    }

    @Test
    void only_messages_with_a_forbidden_routing_key_are_retried() throws Exception {
        broker.server().control("set_topic_permissions", "waybill", Broker.EXCHANGE, "^(?!secret).*$", ".*");
        try {
            Sender destination = connect(broker.options());
            Retry retry = retriedAmongNeighbours(destination, letter("secret.key", "1"));
            assertThat(retry.error()).contains("secret.key", "grant it write permission", "403");
        } finally {
            broker.server().control("clear_topic_permissions", "waybill");
        }
    }

    @Test
    void a_message_larger_than_the_broker_accepts_is_refused() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect(broker.options());
        Refused first = refusedAmongNeighbours(destination, letter(topic, "large", new byte[100_001]));
        assertThat(first.error()).contains(topic, "100001 bytes", "406");
        assertThat(first.unfit()).isTrue();
        assertThat(((Refused) publish(destination, letter(topic, "large", new byte[100_001]))).error())
                .contains("at most 100000");
        assertThat(broker.textsOn(topic)).isEmpty();
    }

    @Test
    void a_message_larger_than_the_options_allow_is_refused_before_it_is_sent() throws Exception {
        Sender destination = connect(broker.options().maxMessageBytes(50));
        assertThat(destination.guarantees().maxMessageBytes()).isEqualTo(50);
        Refused refused = refusedAmongNeighbours(destination, letter(broker.newTopic(), "large", new byte[51]));
        assertThat(refused.error()).contains("51 bytes", "at most 50");
    }

    /** RabbitMQ reads these headers as lists of routing keys and closes the channel when they are none. */
    @Test
    void a_message_that_closes_the_channel_is_identified() throws Exception {
        String topic = broker.newTopic();
        OutboundMessage poison = withHeader(letter(topic, "poison"), "CC", new byte[] {'x'});
        Refused refused = refusedAmongNeighbours(connect(broker.options()), poison);
        assertThat(refused.error()).contains(topic, "does not accept the message", "406");
        assertThat(refused.unfit()).as("it is not its size").isFalse();
        assertThat(broker.textsOn(topic)).isEmpty();
    }

    @Test
    void a_message_that_amqp_cannot_carry_is_refused_before_it_is_sent() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect(broker.options());
        String tooLong = "é".repeat(128);
        assertThat(refusedAmongNeighbours(destination, letter(tooLong, "1")).error())
                .contains("routing key is longer than 255 bytes");
        assertThat(refusedAmongNeighbours(destination, letter(topic, tooLong)).error())
                .contains("id, type or content type");
        assertThat(refusedAmongNeighbours(destination, withHeader(letter(topic, "1"), tooLong, new byte[0]))
                        .error())
                .contains("the name of a header");
        assertThat(refusedAmongNeighbours(destination, withHeader(letter(topic, "1"), "large", new byte[200_000]))
                        .error())
                .contains("headers have about 2000");
        OutboundMessage justFits = withHeader(letter(topic, "e".repeat(255)), "e".repeat(255), new byte[119_000]);
        assertThat(publish(destination, justFits)).isEqualTo(DELIVERED);
    }

    @Test
    void when_there_are_more_exchanges_than_channels_those_without_one_are_retried() throws Exception {
        Map<String, String> exchanges =
                Map.of("a", "amq.direct", "b", "amq.fanout", "c", "amq.headers", "d", "amq.topic");
        Sender destination = connect(broker.options().exchangeByTopic(exchanges));
        List<Delivery> outcomes = outcomes(
                destination.publish(List.of(letter("a", "1"), letter("b", "2"), letter("c", "3"), letter("d", "4"))));
        assertThat(outcomes.subList(0, 3)).allMatch(outcome -> outcome instanceof Refused);
        assertThat(((Retry) outcomes.get(3)).error()).contains("channel_max");
    }

    @Test
    void wrong_credentials_make_rabbitmq_unavailable_and_are_not_shown() throws Exception {
        Sender destination = connect(broker.options().credentials("waybill", "WRONG"));
        assertThat(unavailable(destination))
                .contains("correct the credentials", "ACCESS_REFUSED")
                .doesNotContain("WRONG");
    }

    @Test
    void a_missing_virtual_host_makes_rabbitmq_unavailable() throws Exception {
        RabbitOptions elsewhere =
                RabbitOptions.of("amqp://127.0.0.1:" + broker.server().port() + "/else%2Fwhere");
        assertThat(unavailable(connect(elsewhere))).contains("vhost else/where", "530");
    }

    @Test
    void a_conflicting_topology_makes_rabbitmq_unavailable() throws Exception {
        RabbitOptions options = broker.options().topology(Topology.NONE.exchange(Broker.EXCHANGE, "fanout"));
        assertThat(unavailable(connect(options))).contains("topology", "406", Broker.EXCHANGE);
    }

    @Test
    void a_closed_port_makes_rabbitmq_unavailable() throws Exception {
        assertThat(unavailable(connect(RabbitOptions.of("amqp://127.0.0.1:1"))))
                .contains("127.0.0.1:1", "ConnectException");
    }

    @Test
    void a_connection_closed_by_the_broker_makes_messages_in_flight_unavailable() throws Exception {
        String topic = broker.newTopic();
        Sender destination = connect(broker.options());
        assertThat(publish(destination, letter(topic, "1"))).isEqualTo(DELIVERED);
        broker.server().control("close_all_user_connections", "waybill", "maintenance");

        Delivery next = publish(destination, letter(topic, "2"));
        if (next instanceof Unavailable away) {
            assertThat(away.error()).contains("320 CONNECTION_FORCED", "maintenance");
            destination.abort();
            next = publish(destination, letter(topic, "2"));
        }
        assertThat(next).isEqualTo(DELIVERED);
    }

    private static Refused refusedAmongNeighbours(Sender destination, OutboundMessage bad) throws Exception {
        return (Refused) amongNeighbours(destination, bad);
    }

    private static Retry retriedAmongNeighbours(Sender destination, OutboundMessage bad) throws Exception {
        return (Retry) amongNeighbours(destination, bad);
    }

    /** Sends it among others, which must all arrive, and returns its outcome. */
    private static Delivery amongNeighbours(Sender destination, OutboundMessage bad) throws Exception {
        String good = broker.newTopic();
        List<OutboundMessage> neighbours = letters(good, "neighbour-", 40);
        List<OutboundMessage> batch = new ArrayList<>(neighbours);
        batch.add(20, bad);
        List<Delivery> outcomes = new ArrayList<>(outcomes(destination.publish(batch)));
        Delivery outcome = outcomes.remove(20);
        assertThat(outcomes).containsOnly(DELIVERED);
        // Messages in flight on a closed channel may arrive twice.
        assertThat(broker.textsOn(good).stream().distinct())
                .containsExactlyInAnyOrderElementsOf(Letters.texts(neighbours));
        return outcome;
    }

    private static String unavailable(Sender destination) throws Exception {
        return ((Unavailable) publish(destination, letter("any", "1"))).error();
    }

    private static Delivery publish(Sender destination, OutboundMessage message) throws Exception {
        return outcomes(destination.publish(List.of(message))).get(0);
    }

    private Sender connect(RabbitOptions options) {
        Sender destination = new Sender(RabbitDestination.of(options));
        opened.add(destination);
        return destination;
    }
}
