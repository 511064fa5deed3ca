package dev.waybill.relay.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single situations, on a manual clock. */
class SharingTest {
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(5);
    /** Until sending fails, two leases, and a little for the other process. */
    private static final Duration NOTICED_AND_MOVED = Duration.ofSeconds(46);

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
    void a_failing_relay_stays_in_a_process_that_runs_others() {
        SimulatedProcess one = all.start();
        all.run(Duration.ofSeconds(30));
        RelayName[] failing = all.names().subList(0, 5).toArray(new RelayName[0]);
        one.fails(failing);
        SimulatedProcess two = all.start();
        all.run(LONG);

        assertThat(failing).allMatch(one::holds);
        assertThat(two.held()).isEqualTo(6);
    }

    @Test
    void relays_that_fail_everywhere_do_not_move_to_and_fro() {
        SimulatedProcess one = all.start();
        SimulatedProcess two = all.start();
        all.run(Duration.ofSeconds(30));
        RelayName[] failing = all.names().subList(0, 8).toArray(new RelayName[0]);
        one.fails(failing);
        two.fails(failing);
        all.run(LONG);
        int before = all.handedOver();
        all.run(LONG.multipliedBy(6));

        assertThat(all.handedOver() - before)
                .as("moves in half an hour; %s", all)
                .isLessThanOrEqualTo(3 * 12);
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

    @Test
    void a_process_that_cannot_reach_one_store_has_its_share_of_the_others_and_nothing_moves_to_and_fro() {
        SimulatedProcesses many = new SimulatedProcesses(1, 40, 8);
        many.start();
        many.start();
        SimulatedProcess cutOff = many.start();
        many.run(Duration.ofSeconds(30));
        cutOff.cannotReach(many.storeOf(many.names().get(0)));
        many.run(Duration.ofMinutes(1));
        int before = many.handedOver();
        many.run(LONG);

        assertThat(many.handedOver() - before).as("moves; %s", many).isLessThanOrEqualTo(2);
        assertThat(cutOff.held()).as("%s", many).isBetween(11L, 14L);
        assertThat(many.isEveryRelayHeld()).isTrue();
    }

    @Test
    void a_process_whose_destination_is_away_does_not_keep_relays_that_others_can_run() {
        SimulatedProcesses many = new SimulatedProcesses(1, 40, 8);
        many.start();
        many.start();
        many.run(Duration.ofSeconds(30));
        SimulatedProcess bad = many.start();
        bad.areAway(SimulatedProcesses.DESTINATION);
        many.run(Duration.ofMinutes(1));
        int before = many.handedOver();
        for (int i = 0; i < 30; i++) {
            many.run(Duration.ofSeconds(10));
            assertThat(bad.held()).as("after %d s; %s", i * 10, many).isLessThanOrEqualTo(1);
        }
        assertThat(many.handedOver() - before).as("moves; %s", many).isLessThanOrEqualTo(30);

        bad.areAway();
        many.runUntil("shared evenly again", Duration.ofMinutes(6), many::isEven);
    }

    @Test
    void a_process_that_is_cut_off_tries_one_relay_at_a_time_though_sending_fails_late() {
        a_process_that_is_cut_off_tries_one_relay_at_a_time_however_late_sending_fails(35);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {3, 31})
    void a_process_that_is_cut_off_tries_one_relay_at_a_time_however_late_sending_fails(int seconds) {
        SimulatedProcesses many = new SimulatedProcesses(7, 40, 8).sendingFailsAfter(Duration.ofSeconds(seconds));
        many.start();
        many.start();
        many.run(Duration.ofSeconds(30));
        SimulatedProcess cutOff = many.start();
        cutOff.areAway(SimulatedProcesses.DESTINATION);
        many.run(Duration.ofMinutes(2));
        int before = many.handedOver();
        for (int i = 0; i < 15 * 60; i++) {
            many.run(Duration.ofSeconds(1));
            assertThat(cutOff.held()).as("after %d s; %s", i, many).isLessThanOrEqualTo(1);
        }
        assertThat(many.handedOver() - before).as("moves; %s", many).isLessThanOrEqualTo(12);
    }

    @Test
    void a_process_that_is_not_cut_off_any_more_takes_relays_that_it_gave_up() {
        SimulatedProcesses many = new SimulatedProcesses(3, 20, 4);
        SimulatedProcess one = many.start();
        SimulatedProcess two = many.start();
        many.run(Duration.ofSeconds(30));
        one.areAway(SimulatedProcesses.DESTINATION);
        many.run(Duration.ofSeconds(70));
        one.areAway();
        many.run(Duration.ofSeconds(20));
        two.areAway(SimulatedProcesses.DESTINATION);
        many.run(NOTICED_AND_MOVED.plusSeconds(10));

        assertThat(many.names())
                .as("%s", many)
                .allMatch(relay -> many.notPublishedFor(relay).compareTo(SOON) < 0);
    }

    /** The other process has offered the relay that is to show whether the destination is there again. */
    @Test
    void a_process_gets_its_share_although_the_store_of_the_relay_that_it_tries_has_gone_away() {
        SimulatedProcesses many = new SimulatedProcesses(1, 12, 2);
        SimulatedProcess one = many.start();
        SimulatedProcess two = many.start();
        many.run(Duration.ofSeconds(40));
        one.areAway(SimulatedProcesses.DESTINATION);
        many.runUntil("the relays have moved", Duration.ofMinutes(2), () -> one.held() == 0);
        one.areAway();
        one.takesNothing();
        int before = two.handedOver();
        many.runUntil("a relay is offered", Duration.ofMinutes(10), () -> two.handedOver() > before);
        many.run(Duration.ofSeconds(1));
        one.cannotReach(many.storeOf(many.names().stream()
                .filter(relay -> !two.holds(relay))
                .findFirst()
                .orElseThrow()));
        one.takesAgain();

        many.runUntil("it has relays of the other store", Duration.ofMinutes(10), () -> one.held() == 6);
    }

    @Test
    void processes_that_are_cut_off_in_turn_take_relays_from_each_other_each_time() {
        SimulatedProcess one = all.start();
        SimulatedProcess two = all.start();
        all.run(Duration.ofSeconds(30));
        for (int turn = 0; turn < 6; turn++) {
            SimulatedProcess cutOff = turn % 2 == 0 ? one : two;
            cutOff.areAway(SimulatedProcesses.DESTINATION);
            for (int i = 0; i < 120; i++) {
                if (i == 70) {
                    cutOff.areAway();
                }
                all.run(Duration.ofSeconds(1));
                assertThat(all.names())
                        .as("turn %d after %d s; %s", turn, i, all)
                        .allMatch(relay -> all.notPublishedFor(relay).compareTo(NOTICED_AND_MOVED) < 0);
            }
        }
    }

    @Test
    void a_process_that_is_not_cut_off_any_more_gets_its_share_of_relays_that_have_nothing_to_publish() {
        SimulatedProcess one = all.start();
        all.start();
        all.run(Duration.ofSeconds(30));
        one.areAway(SimulatedProcesses.DESTINATION);
        all.run(NOTICED_AND_MOVED);
        assertThat(one.held()).isZero();
        one.areAway();
        all.running().forEach(process -> process.idles(all.names().toArray(new RelayName[0])));

        all.runUntil("shared evenly again", LONG, all::isEven);
    }

    @Test
    void trials_with_nothing_to_publish_do_not_make_a_process_that_is_cut_off_keep_relays_that_fail() {
        SimulatedProcess one = all.start();
        all.start();
        all.run(Duration.ofSeconds(30));
        one.areAway(SimulatedProcesses.DESTINATION);
        all.run(NOTICED_AND_MOVED);
        List<RelayName> idle = all.names().subList(0, 4);
        all.running().forEach(process -> process.idles(idle.toArray(new RelayName[0])));
        for (int i = 0; i < 20 * 60; i++) {
            all.run(Duration.ofSeconds(1));
            assertThat(all.names().subList(4, 12))
                    .as("after %d s; %s", i, all)
                    .allMatch(relay -> all.notPublishedFor(relay).compareTo(NOTICED_AND_MOVED) < 0);
        }
        assertThat(one.held()).isPositive();
    }

    @Test
    void nothing_moves_while_the_destination_is_away_for_all() {
        all.start();
        all.start();
        all.run(Duration.ofSeconds(30));
        all.running().forEach(process -> process.areAway(SimulatedProcesses.DESTINATION));
        all.run(Duration.ofSeconds(30));
        int before = all.handedOver();
        all.run(LONG);

        assertThat(all.handedOver()).as("%s", all).isEqualTo(before);
        assertThat(all.isEveryRelayHeld()).isTrue();
    }

    @Test
    void a_process_that_reaches_one_of_two_destinations_runs_relays_of_that_one() {
        SimulatedProcesses two = new SimulatedProcesses(1, 12, 3, 2);
        two.start();
        two.start();
        two.run(Duration.ofSeconds(30));
        SimulatedProcess cutOff = two.start();
        cutOff.areAway("destination-1");
        two.run(Duration.ofMinutes(1));
        int before = two.handedOver();
        for (int i = 0; i < 60; i++) {
            two.run(Duration.ofSeconds(10));
            assertThat(two.names())
                    .as("after %d s; %s", i * 10, two)
                    .allMatch(relay -> two.notPublishedFor(relay).compareTo(NOTICED_AND_MOVED) < 0);
            assertThat(cutOff.held()).isBetween(3L, 5L);
        }
        assertThat(two.handedOver() - before).as("moves; %s", two).isLessThanOrEqualTo(12);

        cutOff.areAway();
        two.run(Duration.ofMinutes(6));
        assertThat(two.isEven()).isTrue();
    }

    @Test
    void the_only_relay_moves_to_a_process_that_reaches_its_destination() {
        SimulatedProcesses one = new SimulatedProcesses(1, 1, 1);
        SimulatedProcess first = one.start();
        one.run(Duration.ofSeconds(30));
        SimulatedProcess second = one.start();
        one.run(Duration.ofSeconds(30));
        first.areAway(SimulatedProcesses.DESTINATION);
        one.run(NOTICED_AND_MOVED);
        assertThat(second.held()).isOne();

        one.run(LONG.multipliedBy(12));
        assertThat(one.handedOver()).as("moves in an hour").isOne();
    }

    @Test
    void the_only_relay_rarely_moves_while_its_destination_is_away_for_all() {
        SimulatedProcesses one = new SimulatedProcesses(1, 1, 1);
        one.start();
        one.start();
        one.start();
        one.run(Duration.ofSeconds(30));
        one.running().forEach(process -> process.areAway(SimulatedProcesses.DESTINATION));
        one.run(LONG.multipliedBy(12));
        assertThat(one.handedOver()).as("moves in an hour").isLessThanOrEqualTo(18);
    }
}
