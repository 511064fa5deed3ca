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

/** What a subscription does about a service that ends streams, delivers again, or refuses. */
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
    void what_is_open_is_kept_from_others_longer_than_its_deadline() {
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
    void a_stream_that_ends_is_opened_again_and_what_had_come_is_still_good() {
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
    void a_message_that_comes_again_while_it_is_open_is_the_same_and_is_acknowledged_as_it_came_last() {
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
    void no_more_is_taken_than_may_be_outstanding() {
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
    void what_is_too_much_by_its_bytes_is_taken_one_after_the_other() {
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
    void what_a_reader_leaves_open_comes_to_another_at_once() {
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
        "FAILED_PRECONDITION, kind and state"
    })
    void a_refusal_is_told_at_once_with_the_remedy(Status.Code code, String remedy) {
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
    void a_service_that_stays_away_is_told_after_the_delivery_timeout() {
        server.subscriber().answerReaders(Status.UNAVAILABLE);
        try (Subscription subscription = subscribe(impatient())) {
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> await(subscription, 1))
                    .withMessageContaining("UNAVAILABLE");
        }
    }

    @Test
    void a_service_that_takes_no_acknowledgements_is_told_although_its_stream_stands() {
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
    void an_acknowledgement_that_comes_too_late_leaves_the_message_to_come_again() {
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
    void attributes_of_google_are_left_out() {
        PubsubMessage message = PubsubMessage.newBuilder()
                .putAttributes("googclient_deliveryattempt", "1")
                .putAttributes("note", "x")
                .build();
        assertThat(new PubSubMessage("s", "t", message).headers())
                .extracting(header -> header.name())
                .containsExactly("note");
    }

    @Test
    void what_cannot_be_is_refused_with_what_could() {
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
