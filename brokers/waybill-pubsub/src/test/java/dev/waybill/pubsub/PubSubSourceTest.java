package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.pubsub.PubSubSource.Outstanding;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import dev.waybill.testkit.Await;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A subscription to a service that ends streams, redelivers or refuses. */
class PubSubSourceTest {
    private static final Duration POLL = Duration.ofMillis(50);

    private final PubSubServer server = new PubSubServer();
    private final Topics topics = new Topics(server.address());
    private final String topic = topics.create();
    private final PubSubOptions options = PubSubOptions.of(Topics.PROJECT).emulator(server.address());
    private final PubSubSource source = source(options);
    private final List<InboundMessage> got = new ArrayList<>();

    @AfterEach
    void end() {
        topics.close();
        server.close();
    }

    private PubSubSource source(PubSubOptions with) {
        return PubSubSource.of(with, topic, topic).ackDeadline(Duration.ofSeconds(10));
    }

    private PubSubSource impatient() {
        return source(options.deliveryTimeout(Duration.ofSeconds(2)));
    }

    private Deliveries deliveries() {
        return server.subscriber().deliveries(Topics.path("subscriptions", topic));
    }

    private void send(String... names) {
        topics.publish(
                topic,
                Arrays.stream(names)
                        .map(name -> PubsubMessage.newBuilder()
                                .setOrderingKey(Letters.keyOf(name))
                                .setData(ByteString.copyFromUtf8(name))
                                .build())
                        .toList());
    }

    private Subscription subscribe(PubSubSource from) {
        return from.subscribe((subscription, whose) -> {});
    }

    private List<String> await(Subscription subscription, int count) {
        Await.until(count + " messages", () -> {
            got.addAll(subscription.poll(POLL, 100));
            return got.size() >= count;
        });
        return got.stream()
                .map(message -> new String(message.value(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void open_messages_are_extended_beyond_their_deadline() {
        send("a1", "a2");
        try (Subscription subscription = subscribe(source)) {
            await(subscription, 2);
            // The deadline is 10 s and is extended three times in it.
            Await.until("five extensions", () -> server.subscriber().deadlines().size() >= 5);
            assertThat(subscription.poll(POLL, 100)).isEmpty();
            assertThat(deliveries().counts()).containsExactly(1, 1);
            subscription.acknowledge(got);
        }
        assertThat(deliveries().unacknowledged()).isZero();
    }

    @Test
    void a_stream_that_ends_is_reopened_and_received_messages_stay_valid() {
        send("a1", "a2");
        try (Subscription subscription = subscribe(source)) {
            await(subscription, 2);
            server.subscriber().endStreams(Status.UNAVAILABLE);
            send("b1");
            assertThat(await(subscription, 3)).containsExactly("a1", "a2", "b1");
            server.subscriber().endStreams(Status.OK);
            send("b2");
            await(subscription, 3);
            subscription.acknowledge(got);
            Await.until("b2", () -> {
                List<InboundMessage> more = subscription.poll(POLL, 100);
                subscription.acknowledge(more);
                got.addAll(more);
                return got.size() == 4;
            });
        }
        assertThat(deliveries().counts()).containsExactly(1, 1, 1, 1);
        assertThat(deliveries().unacknowledged()).isZero();
    }

    @Test
    void a_redelivered_open_message_is_acknowledged_with_its_last_id() {
        send("a1", "a2", "a3");
        try (Subscription subscription = subscribe(source)) {
            await(subscription, 3);
            deliveries().expire();
            Await.until("they come again", () -> {
                got.addAll(subscription.poll(POLL, 100));
                return deliveries().counts().equals(List.of(2, 2, 2));
            });
            send("b1");
            assertThat(await(subscription, 4)).containsExactly("a1", "a2", "a3", "b1");
            subscription.acknowledge(got);
        }
        assertThat(deliveries().unacknowledged()).isZero();
    }

    @Test
    void the_limit_of_outstanding_messages_is_kept() {
        send(Letters.names("a", 30).toArray(String[]::new));
        try (Subscription subscription = subscribe(source.outstanding(new Outstanding(10, 1_000_000)))) {
            await(subscription, 10);
            assertThat(subscription.poll(Duration.ofMillis(300), 100)).isEmpty();
            assertThat(deliveries().counts().stream()
                            .mapToInt(Integer::intValue)
                            .sum())
                    .isEqualTo(10);
            subscription.acknowledge(got.subList(0, 4));
            assertThat(await(subscription, 14)).isEqualTo(Letters.names("a", 14));
        }
    }

    @Test
    void the_limit_of_outstanding_bytes_is_kept() {
        send(Letters.names("a", 3).toArray(String[]::new));
        try (Subscription subscription = subscribe(source.outstanding(new Outstanding(1, 1)))) {
            for (int i = 1; i <= 3; i++) {
                assertThat(await(subscription, i)).hasSize(i);
                subscription.acknowledge(got);
            }
        }
        assertThat(deliveries().unacknowledged()).isZero();
    }

    @Test
    void open_messages_of_a_closed_reader_are_redelivered_at_once() {
        send("a1", "a2", "b1");
        Subscription leaving = subscribe(source);
        await(leaving, 3);
        leaving.close();
        got.clear();
        try (Subscription staying = subscribe(source)) {
            assertThat(await(staying, 3)).containsExactlyInAnyOrder("a1", "a2", "b1");
            assertThat(server.subscriber().deadlines())
                    .as("it did not wait for a deadline")
                    .anyMatch(request -> request.getAckDeadlineSeconds() == 0);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND, create it",
        "PERMISSION_DENIED, roles/pubsub.subscriber",
        "UNAUTHENTICATED, credentials",
        "FAILED_PRECONDITION, type and state"
    })
    void a_refusal_is_reported_at_once_with_the_remedy(Status.Code code, String remedy) {
        server.subscriber().answerReaders(code.toStatus());
        try (Subscription subscription = subscribe(source)) {
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> await(subscription, 1))
                    .withMessageContaining(remedy)
                    .withMessageContaining(topic)
                    .withMessageEndingWith(".");
        }
    }

    @Test
    void an_outage_is_reported_after_the_delivery_timeout() {
        server.subscriber().answerReaders(Status.UNAVAILABLE);
        try (Subscription subscription = subscribe(impatient())) {
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> await(subscription, 1))
                    .withMessageContaining("UNAVAILABLE");
        }
    }

    @Test
    void failing_acknowledgements_are_reported_although_the_stream_is_open() {
        send("a1", "a2");
        server.subscriber().answerAcknowledgements(Status.UNAVAILABLE);
        try (Subscription subscription = subscribe(impatient())) {
            await(subscription, 2);
            subscription.acknowledge(got.subList(0, 1));
            assertThatExceptionOfType(SourceException.class).isThrownBy(() -> await(subscription, 3));
        }
        server.subscriber().answerAcknowledgements(Status.OK);
        got.clear();
        try (Subscription subscription = subscribe(source)) {
            assertThat(await(subscription, 2)).containsExactly("a1", "a2");
            subscription.acknowledge(got);
        }
        assertThat(deliveries().unacknowledged()).isZero();
    }

    @Test
    void a_message_acknowledged_too_late_is_redelivered() {
        send("a1");
        server.subscriber().answerAcknowledgements(Status.FAILED_PRECONDITION);
        try (Subscription subscription = subscribe(source)) {
            await(subscription, 1);
            subscription.acknowledge(got);
            Await.until("the refusal", () -> server.subscriber().refusedAcknowledgements() == 1);
            server.subscriber().answerAcknowledgements(Status.OK);
            deliveries().expire();
            await(subscription, 2);
            subscription.acknowledge(got);
        }
        assertThat(deliveries().counts()).containsExactly(2);
        assertThat(deliveries().unacknowledged()).isZero();
    }

    @Test
    void attributes_of_google_are_omitted() {
        PubsubMessage message = PubsubMessage.newBuilder()
                .putAttributes("googclient_deliveryattempt", "1")
                .putAttributes("note", "x")
                .build();
        assertThat(new PubSubMessage("s", "t", message).headers())
                .extracting(header -> header.name())
                .containsExactly("note");
    }

    @Test
    void invalid_values_are_refused_with_the_allowed_ones() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source.ackDeadline(Duration.ofSeconds(9)))
                .withMessageContaining("9 s")
                .withMessageContaining("10 to 600 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> source.outstanding(new Outstanding(0, 1)))
                .withMessageContaining("at least 1");
        assertThatIllegalArgumentException().isThrownBy(() -> PubSubSource.of(options, topic, " "));
    }
}
