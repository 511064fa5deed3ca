package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.RelayOptions.Poll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final Turn AWAY = new Turn.Unavailable("away");

    private final Pace pace = new Pace(new Poll(INTERVAL, LONGEST), new FailureStreak(System::nanoTime));

    @Test
    void after_work_there_is_no_wait() {
        assertThat(pace.after(Turn.WORKED)).isZero();
        turns(100);
        assertThat(pace.after(Turn.WORKED)).isZero();
    }

    @Test
    void without_work_the_waits_grow_from_a_millisecond_to_the_interval() {
        assertThat(millis(turns(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
    }

    @Test
    void work_begins_the_waits_anew() {
        turns(100);
        pace.after(Turn.WORKED);

        assertThat(millis(turns(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
    }

    @Test
    void the_quick_looks_after_a_signal_end_with_work() {
        pace.wakeUp();
        turns(2);
        pace.after(Turn.WORKED);

        assertThat(millis(turns(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 10, 50, 100, 249, 250, 400})
    void it_stays_at_the_interval_for_a_quarter_of_a_second_and_then_grows_to_the_longest(long interval) {
        Pace other = new Pace(new Poll(Duration.ofMillis(interval), LONGEST), new FailureStreak(System::nanoTime));
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waits.add(other.after(Turn.IDLE).toMillis());
        }
        long atInterval = waits.stream()
                .filter(wait -> wait == interval)
                .mapToLong(Long::longValue)
                .sum();
        assertThat(atInterval).isBetween(250L, 250 + 2 * interval);
        assertThat(waits).isSorted().last().isEqualTo(1_000L);
    }

    @Test
    void an_interval_as_long_as_the_longest_stays() {
        Pace other = new Pace(new Poll(INTERVAL, INTERVAL), new FailureStreak(System::nanoTime));
        for (int i = 0; i < 100; i++) {
            assertThat(other.after(Turn.IDLE)).isLessThanOrEqualTo(INTERVAL);
        }
        assertThat(other.after(Turn.IDLE)).isEqualTo(INTERVAL);
    }

    @Test
    void a_wake_up_brings_quick_looks_for_a_tenth_of_a_second() {
        turns(100);
        pace.wakeUp();
        List<Duration> waits = turns(58);
        assertThat(waits.subList(0, 4)).containsOnly(Duration.ofNanos(500_000));
        assertThat(waits.subList(4, 12)).containsOnly(Duration.ofMillis(1));
        assertThat(waits.subList(12, 58)).containsOnly(Duration.ofMillis(2));
        assertThat(pace.after(Turn.IDLE)).as("and then the waits grow again").isEqualTo(Duration.ofMillis(1));
        assertThat(turns(100)).last().isEqualTo(LONGEST);
    }

    /** Wake-ups may come again and again before the first commit. */
    @Test
    void a_relay_that_is_woken_up_never_looks_later_than_one_that_is_not() {
        pace.after(Turn.WORKED);
        List<Duration> polling = turns(20);
        pace.after(Turn.WORKED);
        pace.wakeUp();
        List<Duration> woken = turns(20);

        for (int i = 0; i < polling.size(); i++) {
            assertThat(sum(woken.subList(0, i + 1))).isLessThanOrEqualTo(sum(polling.subList(0, i + 1)));
            assertThat(woken.get(i)).isLessThanOrEqualTo(polling.get(i));
        }
        assertThat(Pace.FIRST_LOOK).isLessThan(polling.get(0));
    }

    @Test
    void quick_looks_are_no_slower_than_the_interval() {
        Pace other = new Pace(new Poll(Duration.ofNanos(400), LONGEST), new FailureStreak(System::nanoTime));
        other.wakeUp();

        assertThat(other.after(Turn.IDLE)).isEqualTo(Duration.ofNanos(400));
    }

    @Test
    void with_enough_out_it_waits_an_interval_at_most() {
        turns(100);

        assertThat(pace.after(Turn.FULL)).isEqualTo(INTERVAL);
    }

    @Test
    void while_the_destination_is_away_the_waits_double_up_to_five_seconds() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waits.add(pace.after(AWAY).toMillis());
        }
        assertThat(waits).containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    }

    @Test
    void a_failure_of_the_store_is_waited_for_alike() {
        assertThat(pace.failed()).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.failed()).isEqualTo(Duration.ofMillis(200));
        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(400));
    }

    /** Between two failures something is always claimed and sent. */
    @Test
    void a_claim_alone_does_not_end_the_backing_off() {
        for (long expected : List.of(100, 200, 400)) {
            pace.after(Turn.WORKED);
            pace.after(Turn.IDLE);
            pace.after(Turn.FULL);
            assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(expected));
        }
    }

    @Test
    void progress_ends_the_backing_off() {
        pace.after(AWAY);
        pace.after(AWAY);
        pace.progressed();

        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void so_does_a_long_time_with_nothing_to_do() {
        pace.after(AWAY);
        pace.after(AWAY);
        turns(100);

        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(100));
    }

    private List<Duration> turns(int count) {
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waits.add(pace.after(Turn.IDLE));
        }
        return waits;
    }

    private static Duration sum(List<Duration> waits) {
        return waits.stream().reduce(Duration.ZERO, Duration::plus);
    }

    private static List<Long> millis(List<Duration> waits) {
        return waits.stream().map(Duration::toMillis).toList();
    }
}
