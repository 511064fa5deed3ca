package dev.waybill.pubsub;

import static dev.waybill.pubsub.Letters.messages;
import static dev.waybill.pubsub.Letters.names;
import static dev.waybill.pubsub.Letters.outcomes;
import static dev.waybill.pubsub.Letters.publish;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.pubsub.Faults.Fault;
import dev.waybill.pubsub.PubSubOptions.InFlight;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.tck.destination.Sender;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of messages when Pub/Sub fails in the middle of a key. */
class PubSubDestinationTest {
    private final PubSubServer server = new PubSubServer();
    private final Topics topics = new Topics(server.address());
    private final String topic = topics.create();
    private Sender destination = connect(Duration.ofSeconds(30));

    @AfterEach
    void end() {
        server.faults().releaseAll();
        destination.abort();
        destination.close();
        topics.close();
        server.close();
    }

    private Sender connect(Duration deliveryTimeout) {
        return new Sender(PubSubDestination.of(options().deliveryTimeout(deliveryTimeout)));
    }

    private PubSubOptions options() {
        return PubSubOptions.of(Topics.PROJECT).emulator(server.address());
    }

    private List<String> arrived() {
        return server.log().bodies("projects/" + Topics.PROJECT + "/topics/" + topic);
    }

    @ParameterizedTest
    @EnumSource(
            value = Status.Code.class,
            names = {
                "UNAVAILABLE",
                "DEADLINE_EXCEEDED",
                "ABORTED",
                "CANCELLED",
                "INTERNAL",
                "RESOURCE_EXHAUSTED",
                "UNKNOWN"
            })
    void transient_errors_are_retried_and_the_key_stays_in_order(Status.Code code) {
        server.faults().body("a3", 2, code.toStatus());
        List<String> all = names("a", 9);
        List<Delivery> outcomes = new ArrayList<>();
        for (int from = 0; from < 9; from += 3) {
            outcomes.addAll(
                    publish(destination, topic, all.subList(from, from + 3).toArray(String[]::new)));
        }
        assertThat(outcomes).hasSize(9).containsOnly(DELIVERED);
        assertThat(arrived()).isEqualTo(all);
    }

    @Test
    void a_message_whose_acknowledgement_was_lost_is_sent_again_before_later_ones() {
        server.faults().acknowledgement("a", 1, Status.UNAVAILABLE);
        assertThat(publish(destination, topic, "a1")).containsOnly(DELIVERED);
        assertThat(publish(destination, topic, "a2")).containsOnly(DELIVERED);
        assertThat(arrived()).containsExactly("a1", "a1", "a2");
    }

    @Test
    void only_the_invalid_message_of_a_request_is_refused() {
        server.faults().body("a7", Faults.ALWAYS, Status.INVALID_ARGUMENT);
        List<String> names = names("a", 20);
        List<Delivery> outcomes = new ArrayList<>(publish(destination, topic, names.toArray(String[]::new)));

        assertThat(outcomes.remove(6)).isInstanceOf(Refused.class);
        assertThat(outcomes).hasSize(19).containsOnly(DELIVERED);
        assertThat(arrived())
                .hasSize(19)
                .isSubsetOf(names)
                .isSortedAccordingTo((one, other) -> names.indexOf(one) - names.indexOf(other));
    }

    @Test
    void a_slow_key_does_not_delay_others() {
        Fault slow = server.faults().slow("a");
        CompletionStage<List<Delivery>> waiting = destination.publish(messages(topic, "a1", "a2"));
        assertThat(publish(destination, topic, "b1", "c1")).containsOnly(DELIVERED);
        assertThat(arrived()).containsExactlyInAnyOrder("b1", "c1");
        slow.mend();
        assertThat(outcomes(waiting)).containsOnly(DELIVERED);
    }

    @Test
    void messages_waiting_behind_a_request_share_the_next_one() {
        Fault slow = server.faults().slow("a");
        CompletionStage<List<Delivery>> first = destination.publish(messages(topic, "a1"));
        slow.awaitMet();
        List<CompletionStage<List<Delivery>>> others = new ArrayList<>();
        for (String name : names("a", 200).subList(1, 200)) {
            others.add(destination.publish(messages(topic, name)));
        }
        slow.mend();
        assertThat(outcomes(first)).containsOnly(DELIVERED);
        others.forEach(stage -> assertThat(outcomes(stage)).containsOnly(DELIVERED));
        assertThat(server.log().requestSizes()).containsExactly(1, 199);
        assertThat(arrived()).isEqualTo(names("a", 200));
    }

    @Test
    void requests_in_flight_are_bounded_and_all_arrive() {
        destination = new Sender(PubSubDestination.of(options().inFlight(new InFlight(2, 1))));
        List<String> names =
                names("", 300).stream().map(number -> keyOf(number) + number).toList();
        List<CompletionStage<List<Delivery>>> stages = new ArrayList<>();
        for (int from = 0; from < 300; from += 10) {
            stages.add(destination.publish(
                    messages(topic, names.subList(from, from + 10).toArray(String[]::new))));
        }
        stages.forEach(stage -> assertThat(outcomes(stage)).hasSize(10).containsOnly(DELIVERED));
        assertThat(arrived()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(server.mostRequestsAtOnce()).isBetween(1, 2);
    }

    private static String keyOf(String number) {
        return number.chars()
                .mapToObj(digit -> String.valueOf((char) (digit - '0' + 'a')))
                .reduce("", String::concat);
    }

    @Test
    void when_there_is_no_room_for_seconds_pubsub_counts_as_unavailable() {
        destination = new Sender(PubSubDestination.of(options().inFlight(new InFlight(10, 1))));
        server.faults().slow("a");
        CompletionStage<List<Delivery>> waiting = destination.publish(messages(topic, "a1"));
        assertThat(publish(destination, topic, "b1"))
                .singleElement()
                .isInstanceOfSatisfying(
                        Unavailable.class, away -> assertThat(away.error()).contains("bytes wait", server.address()));
        assertThat(outcomes(waiting)).hasOnlyElementsOfType(Unavailable.class);
    }

    @Test
    void when_no_answer_comes_within_the_delivery_timeout_everything_is_unavailable() {
        destination = connect(Duration.ofSeconds(1));
        server.faults().slow("a");
        assertThat(publish(destination, topic, "a1", "a2", "b1").subList(0, 2))
                .hasSize(2)
                .hasOnlyElementsOfType(Unavailable.class);
    }

    @Test
    void abort_does_not_wait_for_an_answer() {
        Fault slow = server.faults().slow("a");
        CompletionStage<List<Delivery>> waiting = destination.publish(messages(topic, "a1", "a2"));
        slow.awaitMet();
        destination.abort();
        assertThat(waiting.toCompletableFuture()).isCompleted();
        assertThat(outcomes(waiting)).hasSize(2).hasOnlyElementsOfType(Unavailable.class);
    }

    @Test
    void an_unavailable_key_is_distinguished_from_an_outage_when_it_fails_again() {
        destination = connect(Duration.ofSeconds(1));
        Fault fault = server.faults().key("a", Faults.ALWAYS, Status.UNAVAILABLE);
        assertThat(publish(destination, topic, "a1", "a2").get(0)).isInstanceOf(Unavailable.class);
        destination.abort();

        List<Delivery> outcomes = publish(destination, topic, "a1", "b1", "a2", "c1");
        assertThat(outcomes.get(0)).isInstanceOf(Retry.class);
        assertThat(outcomes.get(1)).isEqualTo(DELIVERED);
        assertThat(outcomes.get(2)).isInstanceOf(Retry.class);
        assertThat(outcomes.get(3)).isEqualTo(DELIVERED);

        fault.mend();
        assertThat(publish(destination, topic, "a1", "a2", "a3")).containsOnly(DELIVERED);
        assertThat(arrived().stream().filter(name -> name.startsWith("a")).distinct())
                .as("an aborted request may still arrive")
                .containsExactly("a1", "a2", "a3");
    }

    @Test
    void as_long_as_nothing_is_delivered_pubsub_is_unavailable() {
        destination = connect(Duration.ofSeconds(1));
        server.stop();
        for (int round = 0; round < 3; round++) {
            assertThat(publish(destination, topic, "a1", "b1")).hasSize(2).hasOnlyElementsOfType(Unavailable.class);
            destination.abort();
        }
        server.restart();
        assertThat(publish(destination, topic, "a1", "b1")).containsOnly(DELIVERED);
    }

    @Test
    void after_a_dead_event_the_next_of_its_key_is_sent_at_once() {
        server.faults().body("a1", Faults.ALWAYS, Status.FAILED_PRECONDITION);
        assertThat(publish(destination, topic, "a1")).hasOnlyElementsOfType(Retry.class);
        assertThat(publish(destination, topic, "b1")).containsOnly(DELIVERED);
        assertThat(publish(destination, topic, "a2")).containsOnly(DELIVERED);
    }

    @Test
    void a_topic_of_another_project_is_named_in_full() {
        String other = "projects/other-project/topics/theirs";
        server.log().create(other);
        assertThat(publish(destination, other, "a1")).containsOnly(DELIVERED);
        assertThat(server.log().bodies(other)).containsExactly("a1");
    }

    @Test
    void its_text_names_its_address() {
        assertThat(destination).hasToString("Pub/Sub at " + server.address() + ", project " + Topics.PROJECT);
    }
}
