package dev.waybill.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number and size of messages that are prefetched. */
class PrefetchTest {
    private static final Duration WAIT = Prefetch.FIRST_WAIT;

    private long now = Long.MAX_VALUE - 1_000;
    private final Prefetch prefetch = new Prefetch(1, 1_000, 64_000, () -> now);
    private final List<String> ends = new ArrayList<>();
    private Outstanding out = new Outstanding(prefetch, ends::add);

    @Test
    void too_many_bytes_reduce_the_prefetch_without_the_largest_message() {
        assertThat(out.add("q", 1_000_000)).isTrue();
        assertThat(out.add("q", 60_000)).isTrue();
        out.remove("q", 1_000_000);
        assertThat(out.add("q", 60_000)).isTrue();
        assertThat(out.add("q", 5_000)).isFalse();
        assertThat(out.add("q", 1)).as("after the end").isFalse();
        assertThat(ends).singleElement().asString().contains("3 messages with 125000 bytes");
        assertThat(prefetch.messages()).isEqualTo(1);
    }

    @Test
    void with_small_messages_it_grows_to_the_configured_number() {
        prefetch.shrink(2, 128_000);
        List<Integer> steps = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            advance(WAIT);
            fill(10);
            out.grow();
            steps.add(prefetch.messages());
        }
        assertThat(steps).startsWith(8, 64, 512, 1_000).endsWith(1_000);
    }

    @Test
    void it_grows_only_as_far_as_the_bytes_allow() {
        prefetch.shrink(2, 128_000);
        advance(WAIT);
        fill(10_000);
        assertThat(out.grow()).hasValueSatisfying(why -> assertThat(why).contains("6 messages of a queue"));
        advance(WAIT);
        fill(10_000);
        assertThat(out.grow()).isEmpty();
    }

    @Test
    void it_does_not_grow_if_it_is_not_the_limit() {
        prefetch.shrink(64, 128_000);
        assertThat(prefetch.messages()).isEqualTo(32);
        advance(WAIT);
        out.add("q", 10);
        assertThat(out.grow()).isEmpty();
        fill(10);
        out.remove("q", 10);
        assertThat(out.grow()).isEmpty();
        out.add("q", 10);
        assertThat(out.grow()).isPresent();
    }

    @Test
    void too_much_growth_delays_the_next_one() {
        prefetch.shrink(2, 128_000);
        for (int doublings = 0; doublings < 10; doublings++) {
            fill(10);
            advance(WAIT.multipliedBy(1L << Math.min(doublings, 6)).minusNanos(1));
            assertThat(out.grow()).as("too early").isEmpty();
            advance(Duration.ofNanos(1));
            assertThat(out.grow()).as("in time").isPresent();
            prefetch.shrink(2, 128_000);
        }
        fill(10);
        advance(WAIT.multipliedBy(64));
        assertThat(out.grow()).isPresent();
        advance(Prefetch.LASTING);
        prefetch.shrink(2, 128_000);
        fill(10);
        advance(WAIT);
        assertThat(out.grow()).as("the last one held").isPresent();
    }

    /** Full queues of messages of 100 kB, handled at 100 a second, for an hour. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 8})
    void a_steady_load_ends_no_subscription_after_the_first_minutes(int queues) {
        Prefetch shared = new Prefetch(queues, RabbitSource.PREFETCH, RabbitSource.OUTSTANDING_BYTES, () -> now);
        Outstanding steady = new Outstanding(shared, ends::add);
        Deque<String> here = new ArrayDeque<>();
        List<Duration> endedAt = new ArrayList<>();
        Duration step = Duration.ofMillis(100);
        for (Duration at = Duration.ZERO; at.compareTo(Duration.ofHours(1)) < 0; at = at.plus(step)) {
            advance(step);
            for (int i = 0; i < 10 && !here.isEmpty(); i++) {
                steady.remove(here.removeFirst(), 100_000);
            }
            ends.clear();
            while (here.size() < queues * shared.messages() && steady.add("q" + here.size() % queues, 100_000)) {
                here.addLast("q" + here.size() % queues);
            }
            if (!ends.isEmpty() || steady.grow().isPresent()) {
                endedAt.add(at);
                here.clear();
                steady = new Outstanding(shared, ends::add);
            }
        }
        assertThat(endedAt)
                .allMatch(at -> at.compareTo(Duration.ofMinutes(20)) < 0)
                .hasSizeLessThan(5);
        assertThat(queues * shared.messages()).isBetween(320, 640);
    }

    @Test
    void one_queue_of_several_that_is_full_is_enough_to_grow_and_its_share_is_the_limit() {
        Prefetch shared = new Prefetch(4, 1_000, 64_000, () -> now);
        Outstanding some = new Outstanding(shared, ends::add);
        shared.shrink(2, 128_000);
        advance(WAIT);
        some.add("busy", 2_000);
        assertThat(some.grow()).isPresent();
        assertThat(shared.messages()).isEqualTo(8);
        advance(WAIT);
        for (int i = 0; i < 7; i++) {
            some.add("q" + i % 3, 10);
            some.add("busy", 10);
        }
        some.remove("busy", 10);
        assertThat(some.grow()).as("no queue is full").isEmpty();
    }

    /** As many as may be, of the next subscription. */
    private void fill(int size) {
        out = new Outstanding(prefetch, ends::add);
        for (int i = 0; i < prefetch.messages(); i++) {
            out.add("q", size);
        }
    }

    private void advance(Duration time) {
        now += time.toNanos();
    }
}
