package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.tck.destination.Sender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A thread of Kafka's client or of the destination fails with an Error: everything is answered all the same. */
class FailingThreadsTest {
    @AutoClose
    private static final Broker broker = new Broker();

    @AfterEach
    void mend() {
        ErrorReporter.failOn = "nobody";
    }

    @Test
    void an_error_while_a_topic_is_looked_for_ends_the_session_and_the_next_looks_again() throws Exception {
        String topic = broker.newTopic();
        try (Sender destination = connect()) {
            ErrorReporter.failOn = "waybill-kafka-topics";
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                    .singleElement()
                    .isInstanceOf(Unavailable.class);
            destination.abort();
            ErrorReporter.failOn = "nobody";
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                    .containsExactly(DELIVERED);
        }
    }

    @Test
    void an_abort_answers_everything_although_the_producers_thread_is_dead() throws Exception {
        String topic = broker.newTopic();
        try (Sender destination = connect()) {
            ErrorReporter.failOn = "kafka-producer-network-thread";
            CompletionStage<List<Delivery>> out = destination.publish(List.of(letter(topic, "k", "1")));
            Broker.eventually(() ->
                    ErrorReporter.hasFailed(topic) || out.toCompletableFuture().isDone());
            destination.abort();
            assertThat(outcomes(out)).singleElement().isInstanceOf(Unavailable.class);
            ErrorReporter.failOn = "nobody";
            assertThat(outcomes(destination.publish(List.of(letter(topic, "k", "1")))))
                    .containsExactly(DELIVERED);
        }
    }

    private static Sender connect() {
        Map<String, String> properties = new HashMap<>(broker.options().properties());
        properties.put("metric.reporters", ErrorReporter.class.getName());
        return new Sender(KafkaDestination.of(KafkaOptions.of(properties)));
    }
}
