package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.relay.FaultyStore.Call;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Leases of eight seconds, of which the last two are a margin. */
class LeaseKeeperTest {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final RelayName RELAY = new RelayName("relay");

    /** Any value, including one where adding a lease overflows. */
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();

    private final FaultyStore store = new FaultyStore(new InMemoryOutbox().store());
    private final RelaySession session =
            store.open(RELAY, new OwnerId("one"), LEASE).orElseThrow();
    private final LeaseKeeper keeper = new LeaseKeeper(session, LEASE, () -> nanos, nanos);

    @Test
    void without_renewal_it_holds_until_the_margin() {
        assertThat(keeper.holds()).isTrue();
        assertThat(keeper.left()).isEqualTo(Duration.ofSeconds(6));
        pass(Duration.ofSeconds(6).minusNanos(1));
        assertThat(keeper.holds()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(keeper.holds()).isFalse();
        assertThat(keeper.left()).isZero();
    }

    @Test
    void the_lease_is_counted_from_before_the_session_was_opened() {
        LeaseKeeper late = new LeaseKeeper(
                session, LEASE, () -> nanos, nanos - Duration.ofSeconds(6).toNanos());

        assertThat(late.holds()).isFalse();
    }

    @Test
    void a_renewal_extends_it() {
        pass(Duration.ofSeconds(2));
        assertThat(keeper.renewOnce()).isTrue();
        pass(Duration.ofSeconds(6).minusNanos(1));
        assertThat(keeper.holds()).isTrue();
        pass(Duration.ofNanos(1));
        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void a_slow_answer_extends_it_only_from_the_time_of_the_call() {
        pass(Duration.ofSeconds(2));
        store.before(Call.RENEW, () -> pass(Duration.ofSeconds(3)));
        assertThat(keeper.renewOnce()).isTrue();
        assertThat(keeper.left()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void an_answer_after_the_margin_comes_too_late() {
        pass(Duration.ofSeconds(2));
        store.before(Call.RENEW, () -> pass(Duration.ofSeconds(4)));
        assertThat(keeper.renewOnce()).isFalse();
        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void a_lost_lease_is_never_held_again() {
        pass(Duration.ofSeconds(6));
        assertThat(keeper.holds()).isFalse();
        assertThat(keeper.renewOnce()).isFalse();
        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void a_process_that_was_suspended_longer_than_its_lease_detects_it_at_once() {
        pass(Duration.ofHours(1));

        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void a_failed_renewal_is_retried_until_the_margin() {
        store.before(Call.RENEW, () -> {
            throw new StoreException("no route to the store");
        });
        pass(Duration.ofSeconds(2));
        assertThat(keeper.renewOnce()).isTrue();
        pass(Duration.ofSeconds(2));
        assertThat(keeper.renewOnce()).isTrue();
        assertThat(keeper.holds()).isTrue();
        pass(Duration.ofSeconds(2));
        assertThat(keeper.renewOnce()).isFalse();
        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void a_store_that_is_available_again_in_time_extends_it() {
        store.before(Call.RENEW, () -> {
            throw new StoreException("no route to the store");
        });
        pass(Duration.ofSeconds(4));
        assertThat(keeper.renewOnce()).isTrue();
        store.mend();
        pass(Duration.ofSeconds(1));
        assertThat(keeper.renewOnce()).isTrue();

        assertThat(keeper.left()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void a_renewal_is_retried_after_a_defect_of_the_store() {
        store.before(Call.RENEW, () -> {
            throw new IllegalStateException("a defect");
        });

        assertThat(keeper.renewOnce()).isTrue();
        assertThat(keeper.holds()).isTrue();
    }

    @Test
    void a_lease_that_the_store_gave_to_another_is_lost_at_once() {
        assertThat(store.open(RELAY, new OwnerId("one"), LEASE)).isPresent();

        assertThat(keeper.renewOnce()).isFalse();
        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void it_is_lost_at_once_if_the_store_throws_a_lease_lost_exception() {
        store.before(Call.RENEW, () -> {
            throw new LeaseLostException(RELAY, 1);
        });

        assertThat(keeper.renewOnce()).isFalse();
        assertThat(keeper.holds()).isFalse();
    }

    @Test
    void it_is_renewed_several_times_before_the_margin() {
        assertThat(LeaseKeeper.renewalInterval(LEASE)).isEqualTo(Duration.ofSeconds(2));
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
