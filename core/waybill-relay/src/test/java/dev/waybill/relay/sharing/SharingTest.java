package dev.waybill.relay.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Single situations, on a manual clock. */
class SharingTest {
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final SimulatedProcesses all = new SimulatedProcesses(1, 12, 3);

    @Test
    void a_lone_process_takes_all_relays_at_once_and_keeps_them() {
        SimulatedProcess one = all.start();
        all.runUntil("all taken", Duration.ofSeconds(1), () -> one.held() == 12);

        all.run(LONG);
        assertThat(one.handedOver()).isZero();
    }

    @Test
    void a_process_that_comes_later_gets_its_share_and_no_more() {
        SimulatedProcess one = all.start();
        all.run(LONG);
        SimulatedProcess two = all.start();
        all.run(Duration.ofSeconds(30));

        assertThat(List.of(one.held(), two.held())).containsExactly(6L, 6L);
        assertThat(all.handedOver()).isEqualTo(6);
    }

    @Test
    void a_difference_of_one_moves_nothing() {
        SimulatedProcesses three = new SimulatedProcesses(1, 3, 2);
        three.start();
        three.start();
        three.run(Duration.ofSeconds(30));
        int before = three.handedOver();

        three.run(LONG);
        assertThat(three.handedOver()).isEqualTo(before);
        assertThat(three.isEven()).isTrue();
    }

    @Test
    void the_survivor_of_a_kill_takes_everything_soon_after_the_leases_have_expired() {
        all.start();
        SimulatedProcess two = all.start();
        all.run(Duration.ofSeconds(30));
        all.kill(two);

        Duration taken = all.runUntil("taken over", Duration.ofSeconds(10), all::isEveryRelayHeld);
        assertThat(taken).isLessThanOrEqualTo(SimulatedProcess.LEASE.plus(Duration.ofSeconds(1)));
    }

    @Test
    void a_process_that_cannot_see_the_others_takes_free_leases_as_if_they_were_not_shared() {
        SimulatedProcess one = all.start();
        all.run(Duration.ofSeconds(30));
        SimulatedProcess blind = all.start();
        blind.losesSightOfOthers();
        all.run(Duration.ofSeconds(30));
        assertThat(blind.held()).isZero();

        all.kill(one);
        all.run(SimulatedProcess.LEASE.plus(SOON));
        assertThat(blind.held()).isEqualTo(12);
    }

    @Test
    void a_relay_that_nobody_takes_is_taken_back_and_offers_become_rare() {
        SimulatedProcess one = all.start();
        all.run(Duration.ofSeconds(30));
        all.start().takesNothing();
        all.run(LONG);

        assertThat(one.held()).isGreaterThanOrEqualTo(10);
        assertThat(one.handedOver()).isBetween(1, 14);
    }

    @Test
    void a_failing_relay_stays_where_it_is() {
        SimulatedProcess one = all.start();
        all.run(Duration.ofSeconds(30));
        RelayName[] failing = all.names().subList(0, 8).toArray(new RelayName[0]);
        one.fails(failing);
        SimulatedProcess two = all.start();
        all.run(LONG);

        assertThat(failing).allMatch(one::holds);
        assertThat(two.held()).isEqualTo(4);
    }

    @Test
    void a_process_all_of_whose_relays_fail_gets_no_more() {
        all.start();
        SimulatedProcess two = all.start();
        all.run(Duration.ofSeconds(30));
        two.fails(all.names().toArray(new RelayName[0]));
        SimulatedProcess three = all.start();
        all.run(LONG);
        long failing = two.held();
        all.kill(three);
        all.run(LONG);

        assertThat(failing).isEqualTo(6);
        assertThat(two.held()).isEqualTo(6);
        assertThat(all.isEveryRelayHeld()).isTrue();
    }

    @Test
    void processes_with_different_files_share_what_they_have_in_common() {
        List<RelayName> names = all.names();
        SimulatedProcess most = all.start(names.subList(0, 10));
        SimulatedProcess few = all.start(names.subList(8, 12));
        all.run(Duration.ofMinutes(1));

        assertThat(most.held()).isEqualTo(8);
        assertThat(few.held()).isEqualTo(4);
        assertThat(all.isEveryRelayHeld()).isTrue();
    }
}
