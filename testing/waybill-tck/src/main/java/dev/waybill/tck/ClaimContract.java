package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Settlement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Batches: how large, how many at once, and what comes again. */
abstract class ClaimContract extends OrderContract {

    @Test
    void a_batch_has_no_more_events_than_the_limit() {
        append("a1", "b1", "c1", "d1", "e1");
        Courier relay = relay().limits(2, 1_000_000);
        List<String> came = new ArrayList<>();
        while (came.size() < 5) {
            Batch batch = relay.claim();
            assertThat(batch.events()).hasSizeBetween(1, 2);
            relay.publish(batch);
            came.addAll(relay.names(batch));
        }

        expect(came, "a1", "b1", "c1", "d1", "e1");
        assertThat(relay.drain()).isEmpty();
    }

    @Test
    void a_batch_has_no_more_payload_than_the_limit() {
        append(sized("a1", 100), sized("b1", 100), sized("c1", 100), sized("d1", 240), sized("e1", 20));
        Courier relay = relay().limits(10, 250);
        List<String> came = new ArrayList<>();
        while (came.size() < 5) {
            Batch batch = relay.claim();
            int bytes = batch.events().stream()
                    .mapToInt(event -> event.payload().length)
                    .sum();
            assertThat(bytes).isLessThanOrEqualTo(250);
            relay.publish(batch);
            came.addAll(relay.names(batch));
        }

        expect(came, "a1", "b1", "c1", "d1", "e1");
    }

    @Test
    void an_event_above_the_limit_comes_alone() {
        append(sized("a1", 10), sized("a2", 5_000), sized("a3", 10));
        Courier relay = relay().limits(10, 1_000);
        List<String> came = new ArrayList<>();
        while (came.size() < 3) {
            Batch batch = relay.claim();
            if (relay.names(batch).contains("a2")) {
                assertThat(batch.events()).hasSize(1);
            }
            relay.publish(batch);
            came.addAll(relay.names(batch));
        }

        expect(came, "a1", "a2", "a3");
    }

    @Test
    void a_large_limit_brings_many_at_once() {
        append("a1", "b1", "c1", "d1", "e1");

        assertThat(relay().claim().events()).hasSize(5);
    }

    @Test
    void several_batches_may_be_out_at_once() {
        append("a1", "b1", "a2");
        append("a3");
        Courier relay = relay().limits(1, 1_000);
        Batch first = relay.claim();
        Batch second = relay.claim();
        Batch third = relay.claim();
        relay.publish(first);
        relay.publish(second);
        relay.publish(third);

        List<String> came = new ArrayList<>();
        List.of(first, second, third).forEach(batch -> came.addAll(relay.names(batch)));
        came.addAll(relay.drain());
        expect(came, "a1", "b1", "a2", "a3");
    }

    @Test
    void an_event_that_is_out_is_not_claimed_again() {
        append("a1", "b1");
        Courier relay = relay();
        Batch out = relay.claim();
        assertThat(relay.names(out)).containsExactlyInAnyOrder("a1", "b1");
        append("c1");

        List<String> beside =
                relay.session().claim(Courier.PLENTY).map(relay::names).orElse(List.of());
        assertThat(beside).doesNotContain("a1", "b1");
    }

    @Test
    void what_was_not_settled_comes_again_after_the_session_closed() {
        append("a1", "a2", "a3");
        List<String> came = new ArrayList<>();
        try (Courier relay = relay().limits(1, 1_000)) {
            Batch settled = relay.claim();
            relay.publish(settled);
            came.addAll(relay.names(settled));
            assertThat(relay.claim().events()).hasSize(1);
        }

        came.addAll(drain());
        expect(came, "a1", "a2", "a3");
        assertThat(drain()).isEmpty();
    }

    @Test
    void what_was_not_settled_comes_again_after_the_lease_ran_out() {
        append("a1", "a2");
        Courier lost = relay();
        expect(lost.names(lost.claim()), "a1", "a2");
        harness().expireLease(RELAY);

        expect(open(RELAY, TWO).orElseThrow().drain(), "a1", "a2");
    }

    @Test
    void of_several_batches_out_only_the_settled_ones_count() {
        append("a1", "a2", "a3");
        String last;
        try (Courier relay = relay().limits(1, 1_000)) {
            Batch first = relay.claim();
            Batch second = relay.claim();
            Batch third = relay.claim();
            last = relay.names(third).get(0);
            relay.publish(first);
            relay.publish(second);
        }

        expect(drain(), last);
    }

    @Test
    void released_events_come_again_as_if_never_claimed() {
        append("a1", "a2", "b1");
        Courier relay = relay();
        Batch batch = relay.claim();
        relay.settle(batch, Settlement.RELEASED, Settlement.RELEASED, Settlement.RELEASED);

        expect(relay.drain(), "a1", "a2", "b1");
        assertThat(relay.seen("a1").attempts()).isZero();
        assertThat(relay.drain()).isEmpty();
    }

    /** A relay looks ahead while a batch is out; when the broker is away then, what is out must not be passed over. */
    @Test
    void released_events_come_again_although_a_later_look_found_nothing_more() {
        append("a1", "a2", "b1");
        Courier relay = relay();
        Batch batch = relay.claim();
        assertThat(relay.drain()).isEmpty();
        assertThat(relay.drain()).isEmpty();
        relay.settle(batch, Settlement.PUBLISHED, Settlement.RELEASED, Settlement.RELEASED);

        assertThat(relay.drain()).hasSize(2).isEqualTo(relay.names(batch).subList(1, 3));
    }

    @Test
    void what_was_published_before_the_first_released_one_is_not_repeated() {
        append("a1");
        append("a2");
        append("a3");
        Courier relay = relay();
        Batch batch = relay.claim();
        List<String> names = relay.names(batch);
        expect(names, "a1", "a2", "a3");
        relay.settle(batch, Settlement.PUBLISHED, Settlement.RELEASED, Settlement.RELEASED);

        expect(relay.drain(), names.get(1), names.get(2));
    }

    @Test
    void what_was_parked_before_the_first_released_one_stays_parked() {
        append("a1");
        append("b1");
        append("c1");
        Courier relay = relay();
        Batch batch = relay.claim();
        List<String> names = relay.names(batch);
        expect(names, "a1", "b1", "c1");
        relay.settle(batch, retryIn(SHORT), Settlement.RELEASED, Settlement.RELEASED);

        expect(relay.drain(), names.get(1), names.get(2));
        pass(SHORT);
        expect(relay.drain(), names.get(0));
        assertThat(relay.seen(names.get(0)).attempts()).isEqualTo(1);
    }

    @Test
    void a_release_makes_the_batches_behind_it_void_and_they_come_again() {
        append("a1", "a2", "a3", "a4");
        Courier relay = relay().limits(1, 1_000);
        Batch first = relay.claim();
        Batch second = relay.claim();
        Batch voided = relay.claim();
        assertThat(voided.events()).hasSize(1);
        relay.publish(first);
        relay.settle(second, Settlement.RELEASED);

        List<String> came = new ArrayList<>(relay.names(first));
        came.addAll(relay.drain());
        expect(came, "a1", "a2", "a3", "a4");
        relay.close();
        assertThat(drain()).isEmpty();
    }

    @Test
    void a_released_retry_comes_again_with_its_attempts_unchanged() {
        append("a1", "a2");
        Courier relay = relay();
        expect(relay.drain(Map.of("a1", retryIn(SHORT))));
        pass(SHORT);
        Batch retry = relay.claim();
        assertThat(relay.names(retry)).containsExactly("a1");
        relay.settle(retry, Settlement.RELEASED);

        expect(relay.drain(), "a1", "a2");
        assertThat(relay.seen("a1").attempts()).isEqualTo(1);
    }

    private Event sized(String name, int bytes) {
        return book.enter(
                name,
                Event.of("x.v1")
                        .aggregate("X", aggregateId(EventBook.keyOf(name)))
                        .payload(Payload.json("\"" + "x".repeat(bytes - 2) + "\"")));
    }
}
