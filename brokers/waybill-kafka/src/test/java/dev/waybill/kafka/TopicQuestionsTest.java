package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Lookups of topics on a real broker. */
class TopicQuestionsTest {
    @AutoClose
    private static final Broker broker = new Broker();

    private final KafkaOptions options = broker.options();

    @AutoClose
    private final TopicQuestions topics = new TopicQuestions(
            new ClientProperties(options), new KafkaErrors(options.bootstrapServers()), Duration.ofMillis(1));

    @Test
    void names_that_kafka_refuses_are_not_asked_for_and_not_remembered() {
        for (int i = 0; i < 100; i++) {
            topics.beginBatch();
            assertThat(topics.whyAbsent("not a topic " + i)).isInstanceOf(Refused.class);
            assertThat(topics.whyAbsent("not a topic " + i)).isInstanceOf(Refused.class);
        }
        assertThat(topics.whyAbsent("x".repeat(40_000))).isInstanceOf(Refused.class);
        assertThat(topics.size()).isZero();
    }

    @Test
    void missing_topics_are_remembered_and_found_when_they_are_there() {
        String topic = broker.newTopic();
        String missing = "missing-" + UUID.randomUUID();
        topics.beginBatch();
        assertThat(topics.whyAbsent(missing)).isInstanceOf(Retry.class);
        assertThat(topics.whyAbsent(topic)).isNull();
        topics.beginBatch();
        assertThat(topics.size()).isEqualTo(2);
    }
}
