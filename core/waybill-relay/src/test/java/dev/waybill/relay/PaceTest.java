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
    private static final CycleResult AWAY = new CycleResult.Unavailable("away");

    private final Pace pace = new Pace(new Poll(INTERVAL, LONGEST), new FailureStreak(System::nanoTime));

    @Test
    void after_work_there_is_no_wait() {
        assertThat(pace.after(CycleResult.WORKED)).isZero();
        turns(100);
        assertThat(pace.after(CycleResult.WORKED)).isZero();
    }

    @Test
    void when_idle_the_waits_grow_from_a_millisecond_to_the_interval() {
        assertThat(millis(turns(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
    }

    @Test
    void work_resets_the_waits() {
        turns(100);
        pace.after(CycleResult.WORKED);

        assertThat(millis(turns(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
    }

    @Test
    void the_frequent_polls_after_a_signal_end_with_work() {
        pace.wakeUp();
        turns(2);
        pace.after(CycleResult.WORKED);

        assertThat(millis(turns(8))).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 10, 50, 100, 249, 250, 400})
    void it_stays_at_the_interval_for_a_quarter_of_a_second_and_then_grows_to_the_longest(long interval) {
        Pace other = new Pace(new Poll(Duration.ofMillis(interval), LONGEST), new FailureStreak(System::nanoTime));
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            waits.add(other.after(CycleResult.IDLE).toMillis());
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
            assertThat(other.after(CycleResult.IDLE)).isLessThanOrEqualTo(INTERVAL);
        }
        assertThat(other.after(CycleResult.IDLE)).isEqualTo(INTERVAL);
    }

    @Test
    void a_wake_up_causes_frequent_polls_for_a_tenth_of_a_second() {
        turns(100);
        pace.wakeUp();
        List<Duration> waits = turns(58);
        assertThat(waits.subList(0, 4)).containsOnly(Duration.ofNanos(500_000));
        assertThat(waits.subList(4, 12)).containsOnly(Duration.ofMillis(1));
        assertThat(waits.subList(12, 58)).containsOnly(Duration.ofMillis(2));
        assertThat(pace.after(CycleResult.IDLE))
                .as("and then the waits grow again")
                .isEqualTo(Duration.ofMillis(1));
        assertThat(turns(100)).last().isEqualTo(LONGEST);
    }

    /** Wake-ups may come again and again before the first commit. */
    @Test
    void a_wake_up_never_delays_a_poll() {
        pace.after(CycleResult.WORKED);
        List<Duration> polling = turns(20);
        pace.after(CycleResult.WORKED);
        pace.wakeUp();
        List<Duration> woken = turns(20);

        for (int i = 0; i < polling.size(); i++) {
            assertThat(sum(woken.subList(0, i + 1))).isLessThanOrEqualTo(sum(polling.subList(0, i + 1)));
            assertThat(woken.get(i)).isLessThanOrEqualTo(polling.get(i));
        }
        assertThat(Pace.FIRST_POLL_AFTER_WAKE).isLessThan(polling.get(0));
    }

    @Test
    void frequent_polls_are_no_slower_than_the_interval() {
        Pace other = new Pace(new Poll(Duration.ofNanos(400), LONGEST), new FailureStreak(System::nanoTime));
        other.wakeUp();

        assertThat(other.after(CycleResult.IDLE)).isEqualTo(Duration.ofNanos(400));
    }

    @Test
    void with_the_maximum_in_flight_it_waits_an_interval_at_most() {
        turns(100);

        assertThat(pace.after(CycleResult.FULL)).isEqualTo(INTERVAL);
    }

    @Test
    void while_the_destination_is_unavailable_the_waits_double_up_to_five_seconds() {
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waits.add(pace.after(AWAY).toMillis());
        }
        assertThat(waits).containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    }

    @Test
    void a_failure_of_the_store_backs_off_in_the_same_way() {
        assertThat(pace.failed()).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.failed()).isEqualTo(Duration.ofMillis(200));
        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(400));
    }

    /** Between two failures something is always claimed and sent. */
    @Test
    void a_claim_alone_does_not_end_the_backoff() {
        for (long expected : List.of(100, 200, 400)) {
            pace.after(CycleResult.WORKED);
            pace.after(CycleResult.IDLE);
            pace.after(CycleResult.FULL);
            assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(expected));
        }
    }

    @Test
    void progress_ends_the_backoff() {
        pace.after(AWAY);
        pace.after(AWAY);
        pace.progressed();

        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void a_long_wait_for_answers_does_not_end_the_backoff() {
        pace.after(AWAY);
        pace.after(AWAY);
        for (int i = 0; i < 100; i++) {
            pace.after(CycleResult.WAITING);
        }
        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(400));
    }

    @Test
    void a_long_idle_time_ends_the_backoff() {
        pace.after(AWAY);
        pace.after(AWAY);
        turns(100);

        assertThat(pace.after(AWAY)).isEqualTo(Duration.ofMillis(100));
    }

    private List<Duration> turns(int count) {
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            waits.add(pace.after(CycleResult.IDLE));
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
