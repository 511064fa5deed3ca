package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions of a relay with a large backlog, on brokers that need some time for each transaction and for each event. */
class EventsPerTransactionTest {
    private static final int LARGEST = 10_000;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

    private final EventsPerTransaction events = new EventsPerTransaction(LARGEST, Duration.ofMillis(100));
    private final List<Integer> committed = new ArrayList<>();
    private int failed;

    private void run(int transactions, Duration each, Duration perEvent, Duration limit) {
        for (int i = 0; i < transactions; i++) {
            int size = events.most();
            long nanos = each.plus(perEvent.multipliedBy(size)).toNanos();
            if (nanos > limit.toNanos()) {
                failed++;
                events.failed(size, limit.toNanos());
            } else {
                committed.add(size);
                events.committed(size, nanos);
            }
        }
    }

    @Test
    void a_broker_that_delays_every_request_gets_transactions_of_the_usual_size() {
        run(50, Duration.ofSeconds(3), Duration.ofNanos(1_000), TIME_LIMIT);
        assertThat(committed).hasSize(50).containsOnly(LARGEST);
    }

    @Test
    void transactions_become_large_again_after_failures_however_long_the_broker_delays_every_request() {
        for (int seconds : new int[] {1, 3, 12, 25}) {
            for (int i = 0; i < 14; i++) {
                events.failed(events.most(), 0);
            }
            assertThat(events.most()).isEqualTo(1);
            run(40, Duration.ofSeconds(seconds), Duration.ofNanos(1_000), TIME_LIMIT);
            assertThat(events.most())
                    .as("with %d s for each transaction", seconds)
                    .isEqualTo(LARGEST);
        }
        assertThat(failed).isZero();
    }

    @Test
    void on_a_broker_with_a_quota_transactions_seldom_reach_the_time_limit_and_are_not_tiny() {
        for (Duration limit : new Duration[] {Duration.ofSeconds(5), TIME_LIMIT, Duration.ofMinutes(2)}) {
            for (int millis : new int[] {2, 10, 50}) {
                EventsPerTransactionTest on = new EventsPerTransactionTest();
                on.run(10, Duration.ofMillis(20), Duration.ofMillis(millis), limit);
                on.committed.clear();
                on.failed = 0;
                on.run(200, Duration.ofMillis(20), Duration.ofMillis(millis), limit);
                String quota = "with " + millis + " ms for each event and a limit of " + limit;
                assertThat(on.failed).as(quota).isLessThan(5);
                assertThat(on.committed).as(quota).allMatch(size -> size >= 1_000 / millis / 2);
            }
        }
    }

    /** A delivery timeout of a second is the shortest that a destination accepts. */
    @ParameterizedTest
    @ValueSource(ints = {600, 1_000, 1_900})
    void on_a_broker_with_a_quota_transactions_seldom_reach_a_short_time_limit(int millis) {
        run(10, Duration.ofMillis(20), Duration.ofMillis(1), Duration.ofMillis(millis));
        failed = 0;
        run(200, Duration.ofMillis(20), Duration.ofMillis(1), Duration.ofMillis(millis));
        assertThat(failed).isLessThan(5);
    }

    @Test
    void transactions_become_as_large_as_before_some_time_after_a_failure_that_no_limit_caused() {
        events.failed(LARGEST, Duration.ofMillis(600).toNanos());
        run(1_500, Duration.ofMillis(20), Duration.ofNanos(100_000), TIME_LIMIT);
        assertThat(events.most()).isEqualTo(LARGEST);
    }

    @Test
    void one_slow_commit_of_a_single_event_makes_transactions_smaller_only_for_a_short_time() {
        events.committed(1, Duration.ofSeconds(20).toNanos());
        assertThat(events.most()).isGreaterThan(10);
        run(12, Duration.ofMillis(5), Duration.ofNanos(1_000), TIME_LIMIT);
        assertThat(events.most()).isEqualTo(LARGEST);
    }

    @Test
    void a_transaction_that_stays_open_on_purpose_is_not_slow() {
        EventsPerTransaction lingering = new EventsPerTransaction(LARGEST, Duration.ofSeconds(10));
        for (int i = 0; i < 20; i++) {
            lingering.committed(LARGEST, Duration.ofSeconds(11).toNanos());
        }
        assertThat(lingering.most()).isEqualTo(LARGEST);
    }
}
