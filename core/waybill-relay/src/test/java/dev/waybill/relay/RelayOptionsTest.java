package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.RetryPolicy;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayOptions.InFlight;
import dev.waybill.relay.RelayOptions.OnDead;
import dev.waybill.relay.RelayOptions.Poll;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RelayOptionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void each_option_can_be_changed_separately() {
        RelayOptions changed = RelayOptions.defaults()
                .batch(new BatchSize(7, 8))
                .inFlight(new InFlight(9, 10))
                .poll(new Poll(SECOND, SECOND, SECOND))
                .retry(new RetryPolicy(1, SECOND, 1, SECOND))
                .countOutages(true)
                .onDead(OnDead.HOLD)
                .lease(SECOND)
                .grace(Duration.ZERO)
                .rate(11)
                .retention(SECOND);

        assertThat(changed)
                .isEqualTo(new RelayOptions(
                        new BatchSize(7, 8),
                        new InFlight(9, 10),
                        new Poll(SECOND, SECOND, SECOND),
                        new RetryPolicy(1, SECOND, 1, SECOND),
                        true,
                        OnDead.HOLD,
                        SECOND,
                        Duration.ZERO,
                        OptionalInt.of(11),
                        Optional.of(SECOND)));
    }

    @Test
    void by_default_dead_events_do_not_hold_their_key_and_nothing_is_deleted() {
        assertThat(RelayOptions.defaults().onDead()).isEqualTo(OnDead.PASS);
        assertThat(RelayOptions.defaults().retention()).isEmpty();
        assertThat(RelayOptions.defaults().retry()).isEqualTo(RetryPolicy.defaults());
    }

    @Test
    void by_default_there_is_no_rate_and_no_delay() {
        assertThat(RelayOptions.defaults().rate()).isEmpty();
        assertThat(RelayOptions.defaults().poll().initialDelay()).isZero();
    }

    @Test
    void times_that_do_not_fit_in_nanoseconds_are_refused() {
        Duration endless = Duration.ofDays(999_999_999);
        RelayOptions options = RelayOptions.defaults();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> options.lease(endless))
                .withMessage("The lease is PT23999999976H: use at most 100000 days.");
        assertThatIllegalArgumentException().isThrownBy(() -> options.grace(endless));
        assertThatIllegalArgumentException().isThrownBy(() -> options.retention(endless));
        assertThatIllegalArgumentException().isThrownBy(() -> new InFlight(1, 1, endless));
        assertThatIllegalArgumentException().isThrownBy(() -> new Poll(SECOND, endless));
        assertThatIllegalArgumentException().isThrownBy(() -> new Poll(SECOND, SECOND, endless));
    }

    @Test
    void a_rate_of_zero_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RelayOptions.defaults().rate(0))
                .withMessageContaining("0 events per second");
    }

    @Test
    void a_negative_initial_delay_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Poll(SECOND, SECOND, Duration.ofMillis(-1)))
                .withMessageContaining("initial delay");
    }

    @Test
    void a_lease_too_short_to_be_renewed_is_refused_with_the_shortest() {
        assertThat(RelayOptions.defaults().lease(Duration.ofMillis(500)).lease())
                .hasMillis(500);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RelayOptions.defaults().lease(Duration.ofMillis(499)))
                .withMessageContainingAll("499 ms", "500 ms");
    }

    @Test
    void a_negative_grace_time_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RelayOptions.defaults().grace(Duration.ofMillis(-1)))
                .withMessageContaining("grace");
    }

    @Test
    void a_negative_retention_is_refused() {
        assertThat(RelayOptions.defaults().retention(Duration.ZERO).retention()).contains(Duration.ZERO);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RelayOptions.defaults().retention(Duration.ofMillis(-1)))
                .withMessageContaining("retention");
    }

    @Test
    void at_least_one_batch_and_one_byte_may_be_in_flight() {
        assertThat(new InFlight(1, 1)).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InFlight(0, 1))
                .withMessageContaining("0 batches");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InFlight(1, 0))
                .withMessageContaining("0 bytes");
    }

    @Test
    void the_timeout_in_flight_is_two_minutes_by_default_and_must_be_positive() {
        assertThat(RelayOptions.defaults().inFlight().timeout()).isEqualTo(Duration.ofMinutes(2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InFlight(1, 1, Duration.ZERO))
                .withMessageContaining("PT0S");
    }

    @Test
    void the_poll_interval_is_positive_and_not_above_the_longest() {
        assertThat(new Poll(SECOND, SECOND)).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> new Poll(Duration.ZERO, SECOND));
        assertThatIllegalArgumentException().isThrownBy(() -> new Poll(Duration.ofMillis(-1), SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Poll(SECOND, Duration.ofMillis(999)))
                .withMessageContainingAll("PT1S", "PT0.999S");
    }
}
