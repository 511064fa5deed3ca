package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One session of a relay is active; writes of older sessions are refused. */
abstract class LeaseContract extends ClaimContract {

    @Test
    void a_second_owner_gets_nothing_while_the_lease_runs() {
        relay();

        assertThat(open(RELAY, TWO)).isEmpty();
    }

    @Test
    void a_second_owner_gets_the_relay_after_the_lease_ran_out_with_a_higher_epoch() {
        long before = relay().session().epoch();
        harness().expireLease(RELAY);

        assertThat(open(RELAY, TWO).orElseThrow().session().epoch()).isGreaterThan(before);
    }

    /** The clock was set back, or a standby whose clock is behind was promoted. */
    @Test
    void a_lease_that_lies_further_ahead_than_leases_last_is_taken_over_like_one_that_ran_out() {
        append("a1");
        Courier old = relay();
        Batch out = old.claim();
        harness().setClockOfLeasesBack(RELAY, Duration.ofHours(1));
        assertThat(admin().examine())
                .filteredOn(finding -> finding.subject().equals("leases"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains("far ahead: " + RELAY + " in 36"));
        Courier next = open(RELAY, TWO).orElseThrow();

        assertThat(next.session().epoch()).isGreaterThan(old.session().epoch());
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> old.publish(out));
        expect(next.drain(), "a1");
        assertThat(open(RELAY, ONE)).as("while the new lease runs").isEmpty();
    }

    @Test
    void a_process_with_a_shorter_lease_does_not_take_over_from_one_that_works() {
        Duration shorter = Duration.ofSeconds(10);
        try (RelaySession holder =
                harness().store().open(RELAY, ONE, shorter.multipliedBy(8)).orElseThrow()) {
            assertThat(harness().store().open(RELAY, TWO, shorter)).isEmpty();
            assertThat(holder.renew()).isTrue();
        }
    }

    @Test
    void a_lease_that_lies_far_ahead_is_shortened_by_its_holder() {
        Courier holder = relay();
        harness().setClockOfLeasesBack(RELAY, Duration.ofHours(1));
        assertThat(holder.session().renew()).isTrue();

        assertThat(open(RELAY, TWO)).isEmpty();
    }

    @Test
    void closing_gives_the_lease_back_at_once() {
        long before = relay().session().epoch();
        relay().close();

        assertThat(status().lease()).isEmpty();
        assertThat(open(RELAY, TWO).orElseThrow().session().epoch()).isGreaterThan(before);
    }

    @Test
    void the_same_owner_may_open_again_at_once_and_its_older_session_is_refused() {
        append("a1");
        Courier older = relay();
        Batch batch = older.claim();
        Courier newer = relay();

        assertThat(newer.session().epoch()).isGreaterThan(older.session().epoch());
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> older.publish(batch));
        assertThat(older.session().renew()).isFalse();
        assertThat(newer.session().renew()).isTrue();
        expect(newer.drain(), "a1");
    }

    @Test
    void what_a_session_settles_after_it_was_taken_over_is_refused_and_does_not_count() {
        append("a1", "a2");
        Courier old = relay();
        Batch batch = old.claim();
        Courier successor = takeOver();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> old.publish(batch));
        expect(successor.drain(), "a1", "a2");
    }

    @Test
    void what_a_session_parks_after_it_was_taken_over_is_refused_and_does_not_count() {
        append("a1");
        Courier old = relay();
        Batch batch = old.claim();
        Courier successor = takeOver();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> old.settle(batch, retryIn(LONG)));
        expect(successor.drain(), "a1");
        assertThat(successor.seen("a1").attempts()).isZero();
    }

    @Test
    void a_late_settle_does_not_undo_what_the_successor_did() {
        append("a1");
        Courier old = relay();
        Batch batch = old.claim();
        Courier successor = takeOver();
        expect(successor.drain(), "a1");

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> old.settle(batch, new Settlement.Dead("too late", true, true)));
        append("a2");
        expect(successor.drain(), "a2");
        assertThat(status().dead()).isZero();
    }

    /** A store may read ahead, so the claim may still succeed; its settlement must fail. */
    @Test
    void a_session_that_was_taken_over_cannot_go_on_claiming() {
        Courier old = relay();
        assertThat(old.drain()).isEmpty();
        Courier successor = takeOver();
        append("a1");

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> old.publish(old.claim()));
        expect(successor.drain(), "a1");
    }

    @Test
    void a_session_that_was_taken_over_cannot_renew() {
        Courier old = relay();
        assertThat(old.session().renew()).isTrue();
        Courier successor = takeOver();

        assertThat(old.session().renew()).isFalse();
        assertThat(successor.session().renew()).isTrue();
    }

    @Test
    void closing_a_session_that_was_taken_over_leaves_the_new_lease_alone() {
        Courier old = relay();
        Courier successor = takeOver();
        old.close();

        assertThat(open(RELAY, ONE)).isEmpty();
        assertThat(successor.session().renew()).isTrue();
    }

    @Test
    void renewing_keeps_the_lease() {
        Courier relay = relay();
        harness().expireLease(RELAY);
        assertThat(relay.session().renew()).isTrue();

        assertThat(open(RELAY, TWO)).isEmpty();
        append("a1");
        expect(relay.drain(), "a1");
    }

    @Test
    void the_status_tells_who_holds_the_lease() {
        Courier relay = relay();

        RelayStatus.Lease lease = status().lease().orElseThrow();
        assertThat(lease.owner()).isEqualTo(ONE.value());
        assertThat(lease.epoch()).isEqualTo(relay.session().epoch());
        assertThat(lease.until()).isAfter(harness().clock().instant());
    }

    @Test
    void the_status_names_nobody_once_the_lease_ran_out() {
        relay();
        harness().expireLease(RELAY);

        assertThat(status().lease()).isEmpty();
    }

    @Test
    void closing_twice_does_no_harm() {
        Courier relay = relay();
        relay.close();
        Courier next = open(RELAY, TWO).orElseThrow();
        relay.close();

        assertThat(next.session().renew()).isTrue();
        assertThat(open(RELAY, ONE)).isEmpty();
    }

    private Courier takeOver() {
        harness().expireLease(RELAY);
        return open(RELAY, TWO)
                .orElseThrow(() -> new AssertionError("The lease that ran out was not given to another."));
    }
}
