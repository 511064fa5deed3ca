package dev.waybill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {

    @Test
    void the_default_waits_nine_times_doubling_from_100_ms() {
        assertThat(waits(RetryPolicy.defaults()))
                .containsExactly(100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 12_800L, 25_600L);
        assertThat(RetryPolicy.defaults().afterAttempt(10)).isEmpty();
    }

    @Test
    void five_retries_wait_100_to_1600_ms_and_the_sixth_attempt_is_the_last() {
        RetryPolicy policy = new RetryPolicy(5, Duration.ofMillis(100), 2, Duration.ofSeconds(30));

        assertThat(waits(policy)).containsExactly(100L, 200L, 400L, 800L, 1_600L);
        assertThat(policy.afterAttempt(6)).isEmpty();
        assertThat(policy.afterAttempt(7)).isEmpty();
    }

    @Test
    void no_wait_is_longer_than_the_longest() {
        RetryPolicy policy = new RetryPolicy(5_000, Duration.ofMillis(100), 3, Duration.ofSeconds(1));

        assertThat(waits(policy).subList(0, 5)).containsExactly(100L, 300L, 900L, 1_000L, 1_000L);
        assertThat(policy.afterAttempt(5_000)).contains(Duration.ofSeconds(1));
    }

    @Test
    void a_factor_of_one_waits_the_same_each_time() {
        assertThat(waits(new RetryPolicy(3, Duration.ofMillis(50), 1, Duration.ofMillis(50))))
                .containsExactly(50L, 50L, 50L);
    }

    @Test
    void waits_shorter_than_a_millisecond_are_kept() {
        RetryPolicy policy = new RetryPolicy(2, Duration.ofNanos(600_000), 2, Duration.ofSeconds(1));

        assertThat(policy.afterAttempt(1)).contains(Duration.ofNanos(600_000));
        assertThat(policy.afterAttempt(2)).contains(Duration.ofNanos(1_200_000));
    }

    @Test
    void without_retries_the_first_attempt_is_the_last() {
        assertThat(new RetryPolicy(0, Duration.ZERO, 1, Duration.ZERO).afterAttempt(1))
                .isEmpty();
    }

    @Test
    void no_wait_at_all_is_allowed() {
        assertThat(new RetryPolicy(2_000, Duration.ZERO, 2, Duration.ofSeconds(1)).afterAttempt(2_000))
                .contains(Duration.ZERO);
    }

    @Test
    void invalid_values_are_refused_and_named() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryPolicy(-1, second, 2, second))
                .withMessage("retries is -1: use 0 or more, or RetryPolicy.UNLIMITED.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryPolicy(1, second.negated(), 2, second))
                .withMessageContaining("first is PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryPolicy(1, second.plusMillis(1), 2, second))
                .withMessageContaining("max is PT1S");
        for (double factor : new double[] {0.99, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RetryPolicy(1, second, factor, second))
                    .withMessage("factor is " + factor + ": use 1 or more.");
        }
    }

    @Test
    void unlimited_retries_never_end_and_the_wait_stays_at_its_maximum() {
        RetryPolicy policy = RetryPolicy.defaults().unlimited();
        assertThat(policy.isUnlimited()).isTrue();
        for (int attempts : new int[] {100, 1_000_000, Integer.MAX_VALUE}) {
            assertThat(policy.afterAttempt(attempts)).contains(Duration.ofSeconds(30));
        }
        assertThat(policy.words(7)).isEqualTo("attempt 7");
        assertThat(RetryPolicy.defaults().words(7)).isEqualTo("attempt 7 of 10");
    }

    private static List<Long> waits(RetryPolicy policy) {
        return IntStream.rangeClosed(1, policy.retries())
                .mapToObj(policy::afterAttempt)
                .map(Optional::orElseThrow)
                .map(Duration::toMillis)
                .toList();
    }
}
