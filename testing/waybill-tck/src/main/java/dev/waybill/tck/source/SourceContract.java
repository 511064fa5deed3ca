package dev.waybill.tck.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.source.SourceHarness.Sent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of message sources. A source is complete when its subclass of this passes. Tests that its harness does
 * not support are skipped and reported as such.
 */
@SuppressWarnings("NullAway.Init") // set before every test
public abstract class SourceContract {
    private SourceHarness harness;

    /** A topic without messages, for one test. */
    protected abstract SourceHarness newSource() throws Exception;

    @BeforeEach
    void open() throws Exception {
        harness = newSource();
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void a_message_arrives_as_it_was_sent() {
        byte[] value = {0, (byte) 0xff, '{', 10};
        harness.send(List.of(new Sent("schlüssel", value, Map.of("event-id", "e-1", "note", "grüße"))));
        try (Reading reading = Reading.of(harness.source()).await(1)) {
            InboundMessage message = reading.got().get(0);
            assertThat(message.key()).isEqualTo("schlüssel".getBytes(StandardCharsets.UTF_8));
            assertThat(message.value()).isEqualTo(value);
            assertThat(message.header("event-id")).contains("e-1");
            assertThat(message.header("note")).contains("grüße");
            assertThat(message.header("Note")).isEmpty();
            assertThat(message.topic()).isEqualTo(harness.topic());
            assertThat(message.place()).isNotBlank();
            assertThat(message).asString().doesNotContain("schlüssel", "grüße");
        }
    }

    @Test
    void a_message_without_a_key_has_none() {
        harness.send(List.of(new Sent(null, "alone".getBytes(StandardCharsets.UTF_8), Map.of("event-id", "e-1"))));
        try (Reading reading = Reading.of(harness.source()).await(1)) {
            assertThat(reading.got().get(0).key()).isNull();
        }
    }

    @Test
    void messages_of_a_key_arrive_in_order() {
        Map<String, List<String>> sent = new LinkedHashMap<>();
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            String key = "k" + i % 7;
            sent.computeIfAbsent(key, k -> new ArrayList<>()).add("m" + i);
            all.add(sent(key, "m" + i));
        }
        harness.send(all);
        try (Reading reading = Reading.of(harness.source()).await(300)) {
            Map<String, List<String>> arrived = new LinkedHashMap<>();
            for (InboundMessage message : reading.got()) {
                byte[] key = message.key();
                assertThat(key).isNotNull();
                arrived.computeIfAbsent(new String(key, StandardCharsets.UTF_8), k -> new ArrayList<>())
                        .add(Reading.text(message));
            }
            assertThat(arrived).isEqualTo(sent);
        }
    }

    @Test
    void a_poll_gives_no_more_than_it_is_asked_for() {
        send("1", "2", "3", "4", "5");
        try (Reading reading = Reading.of(harness.source())) {
            reading.until(got -> {
                reading.poll(0);
                reading.poll(2);
                return got.size() >= 5;
            });
            assertThat(reading.texts()).containsExactly("1", "2", "3", "4", "5");
        }
    }

    @Test
    void what_is_acknowledged_does_not_come_again() {
        send("1", "2", "3", "4", "5");
        try (Reading reading = Reading.of(harness.source()).await(5)) {
            reading.acknowledge(0, 1, 2).acknowledge(4, 3);
        }
        assertThat(restUntilMarker()).containsExactly("marker");
    }

    @Test
    void what_is_not_acknowledged_comes_again_in_order() {
        send("1", "2", "3", "4", "5");
        try (Reading reading = Reading.of(harness.source()).await(5)) {
            reading.acknowledge(0, 1);
        }
        assertThat(restUntilMarker()).containsExactly("3", "4", "5", "marker");
    }

    @Test
    void messages_may_be_acknowledged_in_any_order() {
        send("1", "2", "3", "4", "5");
        try (Reading reading = Reading.of(harness.source()).await(5)) {
            reading.acknowledge(3).acknowledge(1);
        }
        List<String> rest = restUntilMarker();
        assertThat(rest).containsSubsequence("1", "3", "5", "marker").doesNotHaveDuplicates();
        if (harness.acknowledgesEach()) {
            assertThat(rest).hasSize(4);
        }
    }

    @Test
    void what_an_earlier_subscription_gave_acknowledges_nothing_else() {
        send("1", "2");
        Reading earlier = Reading.of(harness.source()).await(2);
        earlier.close();
        try (Reading later = Reading.of(harness.source()).await(2)) {
            later.subscription().acknowledge(List.of(earlier.got().get(1)));
        }
        assertThat(restUntilMarker()).startsWith("1").endsWith("marker");
    }

    @Test
    void closing_lets_the_consumer_acknowledge_what_it_had_at_work() {
        send("1", "2", "3");
        List<InboundMessage> atWork = new ArrayList<>();
        Reading reading = new Reading(harness.source().subscribe((from, whose) -> {
            assertThat(atWork).isNotEmpty().allMatch(whose);
            from.acknowledge(atWork);
        }));
        atWork.addAll(reading.await(3).got().subList(0, 2));
        reading.close();
        assertThat(restUntilMarker()).containsExactly("3", "marker");
    }

    @Test
    void two_share_the_messages_and_what_one_leaves_open_the_other_gets() {
        Set<String> sent = new HashSet<>();
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sent.add("m" + i);
            all.add(sent("k" + i % 8, "m" + i));
        }
        Reading leaving = Reading.of(harness.source());
        try (Reading staying = Reading.of(harness.source())) {
            harness.send(all);
            Set<String> seen = new HashSet<>();
            leaving.until(got -> {
                leaving.poll(3);
                staying.poll(3);
                seen.addAll(leaving.texts());
                seen.addAll(staying.texts());
                return seen.equals(sent);
            });
            staying.acknowledgeAll();
            leaving.close();
            staying.until(got -> Set.copyOf(staying.texts()).equals(sent)).acknowledgeAll();
        } finally {
            leaving.close();
        }
        assertThat(restUntilMarker()).containsExactly("marker");
    }

    @Test
    void closing_twice_does_nothing() {
        Reading reading = Reading.of(harness.source());
        reading.close();
        reading.close();
    }

    @Test
    void after_the_broker_was_away_everything_open_comes_again() {
        Outage outage = outage();
        send("1", "2", "3");
        Reading before = Reading.of(harness.source()).await(3).acknowledge(0);
        outage.begin();
        failOrGiveNothing(before.subscription());
        before.close();
        outage.end();
        try (Reading after = Reading.again(harness.source())) {
            after.await("3").acknowledgeAll();
            assertThat(after.texts()).containsSubsequence("2", "3");
        }
        assertThat(restUntilMarker()).containsExactly("marker");
    }

    @Test
    void while_the_broker_is_away_nothing_comes_and_closing_does_not_fail() {
        Outage outage = outage();
        send("1");
        outage.begin();
        try (Subscription subscription = harness.source().subscribe((from, whose) -> {})) {
            failOrGiveNothing(subscription);
        } catch (SourceException e) {
            assertThat(e).hasMessageEndingWith(".");
        }
        outage.end();
        try (Reading after = Reading.again(harness.source())) {
            assertThat(after.await(1).texts()).containsExactly("1");
        }
    }

    /** A client that hides outages returns nothing; others report the outage. */
    private static void failOrGiveNothing(Subscription subscription) {
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(subscription.poll(Duration.ofMillis(50), 100)).isEmpty();
            }
        } catch (SourceException e) {
            assertThat(e).hasMessageEndingWith(".");
        }
    }

    private Outage outage() {
        assumeTrue(harness.outage().isPresent(), "the source cannot have its broker taken away");
        return harness.outage().orElseThrow();
    }

    /** Messages that arrive before one that is sent now. */
    private List<String> restUntilMarker() {
        send("marker");
        try (Reading reading = Reading.of(harness.source()).await("marker")) {
            return reading.acknowledgeAll().texts();
        }
    }

    private void send(String... texts) {
        harness.send(List.of(texts).stream().map(text -> sent("k", text)).toList());
    }

    private static Sent sent(String key, String text) {
        return new Sent(key, text.getBytes(StandardCharsets.UTF_8), Map.of("event-id", text));
    }
}
