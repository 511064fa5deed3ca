package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A failed event waits, the rest of its key waits behind it, and all other keys continue. */
abstract class ParkingContract extends ProcessesContract {

    @Test
    void an_event_to_be_retried_closes_its_key_while_others_flow() {
        append("a1", "b1", "a2");
        append("a3", "b2");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))), "b1", "b2");

        append("a4", "b3");
        expect(relay.drain(), "b3");
    }

    @Test
    void it_comes_back_when_its_time_has_come_with_one_attempt_more() {
        append("a1");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT.minusMillis(1));
        assertThat(relay.drain()).isEmpty();

        pass(Duration.ofMillis(1));
        expect(relay.drain(), "a1");
        assertThat(relay.seen("a1").attempts()).isEqualTo(1);
        assertThat(relay.drain()).isEmpty();
    }

    @Test
    void a_retry_comes_with_all_its_fields() {
        append(book.enter("a1", withAllThatIsKept()));
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        StoredEvent first = relay.seen("a1");
        pass(SHORT);
        expect(relay.drain(), "a1");
        StoredEvent retry = relay.seen("a1");

        assertThat(retry).isNotSameAs(first);
        assertThat(retry.type()).hasToString("x.v2");
        assertThat(retry.version()).isEqualTo(keeps(StoredField.VERSION) ? 2 : 1);
        assertThat(retry.aggregateId()).hasToString(aggregateId("a"));
        assertThat(retry.orderKey()).isEqualTo(first.orderKey());
        assertThat(retry.aggregateVersion()).isEqualTo(first.aggregateVersion());
        assertThat(retry.aggregateVersion().isPresent()).isEqualTo(keeps(StoredField.AGGREGATE_VERSION));
        assertThat(retry.topic()).isEqualTo(first.topic());
        assertThat(retry.topic() != null).isEqualTo(keeps(StoredField.TOPIC));
        assertThat(retry.headersJson()).isEqualTo(first.headersJson());
        assertThat(retry.headersJson() != null).isEqualTo(keeps(StoredField.HEADERS));
        assertThat(retry.payload()).isEqualTo(first.payload()).isNotEmpty();
        assertThat(retry.contentType()).isEqualTo(first.contentType());
        if (keeps(StoredField.CREATED_AT)) {
            assertThat(retry.createdAt()).isEqualTo(first.createdAt());
        }
    }

    private Event withAllThatIsKept() {
        Event event = Event.of("x.v2")
                .aggregate("X", aggregateId("a"))
                .payload(
                        keeps(StoredField.BINARY_PAYLOAD)
                                ? Payload.binary(new byte[] {1, 0, 2}, "application/x")
                                : Payload.json("{\"n\":1}"));
        if (keeps(StoredField.VERSION)) {
            event = event.version(2);
        }
        if (keeps(StoredField.AGGREGATE_VERSION)) {
            event = event.aggregateVersion(5);
        }
        if (keeps(StoredField.TOPIC)) {
            event = event.topic("t");
        }
        if (keeps(StoredField.HEADERS)) {
            event = event.header("h", "v");
        }
        return event;
    }

    @Test
    void attempts_count_up_with_every_failure() {
        append("a1");
        Courier relay = relay();
        for (int attempt = 0; attempt < 4; attempt++) {
            expect(relay.drain(Map.of("a1", retryIn(SHORT))));
            assertThat(relay.seen("a1").attempts()).isEqualTo(attempt);
            pass(SHORT);
        }

        expect(relay.drain(), "a1");
        assertThat(relay.seen("a1").attempts()).isEqualTo(4);
    }

    @Test
    void a_delivered_head_lets_its_followers_go_in_order() {
        append("a1", "a2", "b1", "a3");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))), "b1");
        append("a4");
        assertThat(relay.drain()).isEmpty();
        pass(SHORT);

        expect(relay.drain(), "a1", "a2", "a3", "a4");
        append("a5");
        expect(relay.drain(), "a5");
        assertThat(status().parked()).isZero();
    }

    @Test
    void followers_count_no_attempts() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        relay.drain();

        assertThat(relay.seen("a2").attempts()).isZero();
    }

    @Test
    void a_second_failure_among_the_followers_keeps_the_order() {
        append("a1", "a2", "a3", "a4");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT);
        expect(relay.drain(Map.of("a2", retryIn(SHORT))), "a1");
        append("a5");
        assertThat(relay.drain()).isEmpty();
        pass(SHORT);

        expect(relay.drain(), "a2", "a3", "a4", "a5");
        assertThat(relay.seen("a2").attempts()).isEqualTo(1);
    }

    @Test
    void a_batch_that_was_out_before_its_key_closed_is_settled_behind() {
        append("a1", "a2", "a3");
        Courier relay = relay().limits(1, 1_000);
        Batch first = relay.claim();
        Batch second = relay.claim();
        relay.settle(first, retryIn(SHORT));
        relay.settle(second, Settlement.BEHIND);
        assertThat(relay.drain()).isEmpty();
        pass(SHORT);

        expect(relay.drain(), "a1", "a2", "a3");
    }

    @Test
    void a_retry_that_is_claimed_before_its_followers_are_settled_still_goes_first() {
        append("a1", "a2", "a3");
        Courier relay = relay().limits(1, 1_000);
        Batch first = relay.claim();
        Batch second = relay.claim();
        relay.settle(first, retryIn(SHORT));
        pass(SHORT);
        Batch retry = relay.claim();
        assertThat(relay.names(retry)).containsExactly("a1");
        relay.settle(second, Settlement.BEHIND);
        relay.publish(retry);

        expect(relay.drain(), "a2", "a3");
    }

    /** As when a destination had not been told yet that the failure was seen. */
    @Test
    void a_retry_that_is_settled_behind_comes_again_first_with_its_attempts() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        Batch retry = relay.claim();
        assertThat(relay.names(retry)).containsExactly("a1");
        relay.settle(retry, Settlement.BEHIND);

        expect(relay.drain(), "a1", "a2");
        assertThat(relay.seen("a1").attempts()).isEqualTo(1);
    }

    @Test
    void a_retry_that_is_out_is_not_claimed_again() {
        append("a1", "a2");
        Courier relay = relay();
        relay.drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        Batch retry = relay.claim();
        assertThat(relay.names(retry)).containsExactly("a1");

        assertThat(relay.session().claim(Courier.PLENTY).map(relay::names).orElse(List.of()))
                .isEmpty();
    }

    @Test
    void what_came_while_the_retry_was_out_is_not_overtaken_once_that_is_delivered() {
        append("a1");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT);
        Batch retry = relay.claim();
        append("a2", "b1");
        Batch beside = relay.claim();
        relay.publish(retry);
        append("a3", "c1");
        Batch after = relay.claim();
        relay.publish(beside);
        relay.publish(after);

        List<String> came = new ArrayList<>();
        List.of(retry, beside, after).forEach(batch -> came.addAll(relay.names(batch)));
        came.addAll(relay.drain());
        expect(came, "a1", "b1", "c1", "a2", "a3");
    }

    @Test
    void two_keys_wait_each_for_its_own_time() {
        append("a1", "b1", "a2", "b2");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT.multipliedBy(2)), "b1", retryIn(SHORT))));
        pass(SHORT);
        expect(relay.drain(), "b1", "b2");
        pass(SHORT);
        expect(relay.drain(), "a1", "a2");
    }

    @Test
    void parking_survives_a_new_session() {
        append("a1", "a2", "b1");
        expect(drain(Map.of("a1", retryIn(SHORT))), "b1");
        append("a3", "b2");
        expect(drain(), "b2");
        pass(SHORT);

        try (Courier relay = relay()) {
            expect(relay.drain(), "a1", "a2", "a3");
            assertThat(relay.seen("a1").attempts()).isEqualTo(1);
        }
        assertThat(drain()).isEmpty();
    }

    @Test
    void a_retry_that_was_not_settled_comes_again_with_its_attempts_unchanged() {
        append("a1", "a2");
        drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        try (Courier relay = relay()) {
            assertThat(relay.names(relay.claim())).containsExactly("a1");
        }

        try (Courier relay = relay()) {
            expect(relay.drain(), "a1", "a2");
            assertThat(relay.seen("a1").attempts()).isEqualTo(1);
        }
    }

    @Test
    void a_key_of_the_applications_own_closes_over_all_its_aggregates() {
        assumeKeeps(StoredField.KEY);
        append(keyed("k1", "one"), keyed("k2", "two"));
        append("b1");
        Courier relay = relay();
        expect(relay.drain(Map.of("k1", retryIn(SHORT))), "b1");
        append(keyed("k3", "three"));
        assertThat(relay.drain()).isEmpty();
        pass(SHORT);

        expect(relay.drain(), "k1", "k2", "k3");
    }

    @Test
    void a_late_commit_of_a_closed_key_is_not_lost() {
        StoreHarness.Tx late = begin();
        late.append(events("a2"));
        append("a1");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        late.commit();
        List<String> came = new ArrayList<>(relay.drain());
        pass(SHORT);
        came.addAll(relay.drain());

        assertThat(came).containsExactlyInAnyOrder("a1", "a2");
    }

    @Test
    void admin_shows_what_waits_and_why() {
        append("a1", "a2", "b1");
        Settlement.RetryAt retry = retryIn(SHORT);
        drain(Map.of("a1", retry));

        ParkedEvent head = parked("a1");
        assertThat(head.state()).isEqualTo(ParkedState.DUE);
        assertThat(head.type()).isEqualTo("tck.happened.v1");
        assertThat(head.attempts()).isEqualTo(1);
        assertThat(head.error()).contains("the broker said no");
        assertThat(head.nextAttemptAt()).contains(retry.at());
        assertThat(head.holdsKey()).isFalse();
        ParkedEvent follower = parked("a2");
        assertThat(follower.state()).isEqualTo(ParkedState.WAITING);
        assertThat(follower.attempts()).isZero();
        assertThat(follower.error()).isEmpty();
        assertThat(status().parked()).isEqualTo(2);
        assertThat(status().dead()).isZero();
    }

    @Test
    void a_retry_that_does_not_count_waits_like_any_other_and_loses_no_attempt() {
        append("a1", "a2");
        drain(Map.of("a1", retryIn(SHORT)));
        pass(SHORT);
        Settlement.RetryAt retry = retryIn(SHORT);
        drain(Map.of("a1", new Settlement.RetryAt(retry.at(), "its partition is away", false)));

        assertThat(parked("a1").state()).isEqualTo(ParkedState.DUE);
        assertThat(parked("a1").attempts()).isEqualTo(1);
        assertThat(parked("a1").nextAttemptAt()).contains(retry.at());
        assertThat(drain()).isEmpty();
        pass(SHORT);
        assertThat(drain()).containsExactly("a1", "a2");
    }

    @Test
    void a_long_error_is_no_trouble() {
        append("a1");
        String error = "é\"'\\ 🚚 ".repeat(2_000);
        drain(Map.of("a1", new Settlement.RetryAt(retryIn(SHORT).at(), error)));

        assertThat(error).startsWith(parked("a1").error().orElseThrow().substring(0, 100));
    }

    private Event keyed(String name, String aggregate) {
        return book.enter(
                name,
                Event.of("x.v1")
                        .aggregate("X", aggregateId(aggregate))
                        .payload(Payload.json("{}"))
                        .key("one key"));
    }
}
