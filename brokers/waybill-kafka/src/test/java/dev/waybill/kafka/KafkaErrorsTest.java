package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaErrorsTest {
    private final KafkaErrors errors = new KafkaErrors("broker:9092");

    static Stream<Arguments> rows() {
        return Stream.of(
                row(new TopicAuthorizationException(Set.of("orders")), Retry.class, Refused.class),
                row(new InvalidTopicException("orders"), Refused.class, Refused.class),
                row(new RecordTooLargeException("large"), Unavailable.class, Refused.class),
                row(new RecordBatchTooLargeException("large"), Unavailable.class, Refused.class),
                row(new InvalidRecordException("bad"), Unavailable.class, Refused.class),
                row(new InvalidTimestampException("bad"), Unavailable.class, Unavailable.class),
                row(new SerializationException("bad"), Unavailable.class, Refused.class),
                row(new UnsupportedCompressionTypeException("bad"), Unavailable.class, Refused.class),
                row(new UnsupportedForMessageFormatException("bad"), Unavailable.class, Refused.class),
                row(new IllegalArgumentException("SECRET"), Unavailable.class, Refused.class),
                row(new TimeoutException("late"), Unavailable.class, Unavailable.class),
                row(new BufferExhaustedException("full"), Unavailable.class, Unavailable.class),
                row(new SaslAuthenticationException("who"), Unavailable.class, Unavailable.class),
                row(new ClusterAuthorizationException("no"), Unavailable.class, Unavailable.class),
                row(new OutOfOrderSequenceException("gap"), Unavailable.class, Unavailable.class),
                row(new NotEnoughReplicasException("few"), Unavailable.class, Unavailable.class),
                row(new UnknownTopicOrPartitionException("gone"), Unavailable.class, Unavailable.class),
                row(new UnknownServerException("?"), Unavailable.class, Unavailable.class),
                row(new KafkaException("Producer is closed forcefully."), Unavailable.class, Unavailable.class),
                row(new IllegalStateException("closed"), Unavailable.class, Unavailable.class));
    }

    private static Arguments row(
            RuntimeException error, Class<? extends Delivery> looking, Class<? extends Delivery> sending) {
        return Arguments.of(error, looking, sending);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void each_exception_means_what_its_row_says(
            RuntimeException error, Class<? extends Delivery> looking, Class<? extends Delivery> sending) {
        Delivery whenLooking = errors.whenLookingFor("orders", error);
        Delivery whenSending = errors.whenSending("orders", error);
        assertThat(whenLooking).isInstanceOf(looking);
        assertThat(whenSending).isInstanceOf(sending);
        assertThat(whenSending.toString()).contains(error.getClass().getSimpleName());
    }

    @Test
    void an_interrupt_makes_kafka_unavailable() {
        InterruptException interrupt = new InterruptException("stop");
        assertThat(Thread.interrupted())
                .as("Kafka interrupts whoever makes one")
                .isTrue();
        assertThat(errors.whenSending("orders", interrupt)).isInstanceOf(Unavailable.class);
    }

    @Test
    void a_missing_topic_is_retried_and_the_reason_names_the_remedy() {
        assertThat(errors.missing("orders"))
                .isInstanceOfSatisfying(
                        Retry.class,
                        retry -> assertThat(retry.error())
                                .contains("topic orders does not exist at broker:9092", "create it"));
    }

    @Test
    void the_message_of_a_partitioners_exception_is_not_shown() {
        assertThat(errors.whenSending("orders", new IllegalArgumentException("SECRET"))
                        .toString())
                .doesNotContain("SECRET");
    }

    @Test
    void wrong_credentials_are_reported() {
        assertThat(errors.unavailable(new AuthenticationException("Invalid username or password"))
                        .error())
                .contains("correct the credentials");
    }

    @Test
    void a_wrong_clock_is_reported_for_every_form_of_the_exception() {
        for (RuntimeException error : List.of(
                new InvalidTimestampException("bad"),
                new InvalidRecordException("Timestamp 4711 of message with offset 0 is out of range"))) {
            assertThat(KafkaErrors.isOfTheClock(error)).isTrue();
            assertThat(errors.whenSending("orders", error))
                    .isInstanceOfSatisfying(
                            Unavailable.class,
                            unavailable -> assertThat(unavailable.error()).contains("set the clock of this host"));
        }
    }
}
