package dev.waybill.relay.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.tck.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Any number of relays, stores and processes that start, die and come back: the relays are shared evenly, and then stay. */
class RandomSharingTest {
    private static final Duration FOR_EACH_RELAY = Duration.ofMillis(500);
    /** In ten minutes a process that is cut off asks for a relay three times at most, and gives it back. */
    private static final int MOVES_BY_TRIALS = 6;
    /** The longest pause before a trial, the time until sending fails, and two leases. */
    private static final Duration LONGEST_PAUSE_AND_MOVE = Duration.ofMinutes(6);

    @Test
    void relays_are_shared_evenly_after_every_change_and_nothing_moves_without_one() {
        Seeds.all().forEach(seed -> new Run(seed).live());
    }

    @Test
    void nothing_moves_to_and_fro_whatever_relays_processes_have_and_whichever_fail() {
        Seeds.all().forEach(RandomSharingTest::liveInTrouble);
    }

    /** A process without access to a store counted the relays it tried to take; processes gave away their last relay that worked. */
    @ParameterizedTest
    @ValueSource(longs = 1086)
    void nothing_moves_to_and_fro_with_a_seed_that_once_made_relays_move(long seed) {
        liveInTrouble(seed);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(longs = {1118, 86_649_265_706L})
    void nothing_moves_to_and_fro_with_seeds_that_once_made_relays_move(long seed) {
        liveInTrouble(seed);
    }

    /** The first process has all relays, the others any. Some relays fail everywhere, and one process does not reach a store. */
    private static void liveInTrouble(long seed) {
        Random random = new Random(seed);
        SimulatedProcesses all = new SimulatedProcesses(
                        seed, 4 + random.nextInt(40), 1 + random.nextInt(8), 1 + (int) (seed % 2))
                .sendingFailsAfter(untilSendingFails(seed));
        all.start();
        for (int others = 1 + random.nextInt(5); others > 0; others--) {
            all.run(Duration.ofMillis(random.nextInt(3_000)));
            all.start(some(all, random, 2));
        }
        RelayName[] failing = some(all, random, 4).toArray(new RelayName[0]);
        all.running().forEach(process -> process.fails(failing));
        all.any().cannotReach(all.storeOf(all.names().get(0)));
        all.run(Duration.ofMinutes(2));
        int before = all.handedOver();

        all.run(Duration.ofMinutes(10));
        assertThat(all.handedOver() - before)
                .as("moves; %s", all)
                .isLessThanOrEqualTo(all.names().size());
    }

    @Test
    void every_relay_is_published_whichever_destinations_some_processes_do_not_reach() {
        Seeds.all().forEach(RandomSharingTest::liveWithoutDestinations);
    }

    /** Each process may be cut off from one of two destinations, except one that reaches both. */
    private static void liveWithoutDestinations(long seed) {
        Random random = new Random(seed);
        SimulatedProcesses all = new SimulatedProcesses(
                        seed, 1 + random.nextInt(40), 1 + random.nextInt(8), 1 + random.nextInt(2))
                .sendingFailsAfter(untilSendingFails(seed));
        for (int processes = 2 + random.nextInt(4); processes > 0; processes--) {
            all.start();
            all.run(Duration.ofMillis(random.nextInt(20_000)));
        }
        SimulatedProcess healthy = all.any();
        List<SimulatedProcess> cutOff = all.running().stream()
                .filter(process -> process != healthy && random.nextInt(4) > 0)
                .toList();
        cutOff.forEach(process -> process.areAway("destination-" + random.nextInt(2)));
        all.run(Duration.ofMinutes(3));
        int before = all.handedOver();

        for (int minutes = 0; minutes < 10; minutes++) {
            all.run(Duration.ofMinutes(1));
            assertThat(all.names())
                    .as("minute %d: %s", minutes, all)
                    .allMatch(relay -> all.notPublishedFor(relay).compareTo(Duration.ofMinutes(1)) < 0);
        }
        assertThat(all.handedOver() - before)
                .as("moves; %s", all)
                .isLessThanOrEqualTo(all.names().size() + MOVES_BY_TRIALS * cutOff.size());

        all.running().forEach(SimulatedProcess::areAway);
        all.runUntil("shared evenly again", Duration.ofMinutes(15), all::isEven);
    }

    @Test
    void every_relay_is_published_again_while_processes_are_cut_off_in_turn() {
        Seeds.all().forEach(RandomSharingTest::liveInTurns);
    }

    /** At most one process is cut off at a time. The others may be in their pause before the next trial. */
    private static void liveInTurns(long seed) {
        Random random = new Random(seed);
        SimulatedProcesses all = new SimulatedProcesses(seed, 2 + random.nextInt(30), 1 + random.nextInt(4))
                .sendingFailsAfter(untilSendingFails(seed));
        for (int processes = 2 + random.nextInt(3); processes > 0; processes--) {
            all.start();
        }
        all.run(Duration.ofSeconds(40));
        for (int turn = 0; turn < 5; turn++) {
            SimulatedProcess cutOff = all.any();
            cutOff.areAway(SimulatedProcesses.DESTINATION);
            int seconds = 20 + random.nextInt(580);
            for (int i = 0; i < seconds; i++) {
                all.run(Duration.ofSeconds(1));
                assertThat(all.names())
                        .as("turn %d, second %d of %d: %s", turn, i, seconds, all)
                        .allMatch(relay -> all.notPublishedFor(relay).compareTo(LONGEST_PAUSE_AND_MOVE) < 0);
            }
            cutOff.areAway();
            all.run(Duration.ofSeconds(random.nextInt(120)));
        }
        all.runUntil("shared evenly again", Duration.ofMinutes(15), all::isEven);
    }

    /** From a connection that is refused to more than Kafka's delivery timeout. */
    private static Duration untilSendingFails(long seed) {
        return Duration.ofSeconds(3 + seed % 33);
    }

    private static List<RelayName> some(SimulatedProcesses all, Random random, int oneOf) {
        List<RelayName> some = new ArrayList<>(all.names());
        some.removeIf(relay -> random.nextInt(oneOf) > 0);
        return some.isEmpty() ? all.names().subList(0, 1) : some;
    }

    private static final class Run {
        private final Random random;
        private final int relays;
        private final int processes;
        private final SimulatedProcesses all;

        Run(long seed) {
            this.random = new Random(seed);
            this.relays = 1 + random.nextInt(60);
            this.processes = 2 + random.nextInt(5);
            this.all = new SimulatedProcesses(seed, relays, 1 + random.nextInt(10));
        }

        void live() {
            for (int i = 0; i < processes; i++) {
                all.start();
                all.run(Duration.ofMillis(random.nextInt(2_000)));
            }
            becomesEven();
            SimulatedProcess killed = all.any();
            all.kill(killed);
            all.runUntil("taken over", Duration.ofSeconds(8), all::isEveryRelayHeld);
            becomesEven();
            all.start();
            becomesEven();
        }

        /** Also that no more relays move than necessary, apart from a few when several processes act at once. */
        private void becomesEven() {
            int before = all.handedOver();
            long missing = all.running().stream()
                    .mapToLong(process -> Math.max(0, relays / all.running().size() - process.held()))
                    .sum();
            all.runUntil(
                    "shared evenly", Duration.ofSeconds(20).plus(FOR_EACH_RELAY.multipliedBy(relays)), all::isEven);
            all.run(Duration.ofSeconds(10));
            int after = all.handedOver();
            assertThat(after - before).as("moves; %s", all).isLessThanOrEqualTo((int) missing + processes);
            all.run(Duration.ofSeconds(30));
            assertThat(all.handedOver()).as("moves without a change; %s", all).isEqualTo(after);
            assertThat(all.isEven()).as("%s", all).isTrue();
        }
    }
}
