package dev.waybill.tck;

import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A sequence of actions on a store while one of its calls fails. The letters of an event's name are its key. */
enum FaultScenario {
    DRAIN {
        @Override
        void play(RunWithFault run) {
            run.brokerAnswers(Map.of("a2", Settlement.RELEASED));
            run.append("a1", "b1", "a2");
            run.appendAndRollBack("x1");
            run.append("c1", "b2");
            run.drain();
            run.passShort();
            run.append("a3");
            run.drain();
        }
    },
    PARK {
        @Override
        void prepare(RunWithFault run) {
            run.append("a1", "b1", "a2", "c1");
        }

        @Override
        void play(RunWithFault run) {
            run.brokerAnswers(Map.of("a1", run.retry(true), "c1", run.retry(false)));
            run.drain();
            run.append("a3", "b2");
            run.drain();
            run.expectParked(2, 2, 0);
            run.expectAttempts("a1", 1);
            run.expectAttempts("c1", 0);
            run.passLong();
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.drain();
            run.expectAttempts("a1", 2);
            run.expectParked(1, 2, 0);
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            run.expectParked(0, 0, 0);
        }
    },
    DEAD {
        @Override
        void prepare(RunWithFault run) {
            run.append("a1", "b1", "d1", "a2", "b2", "c1");
        }

        @Override
        void play(RunWithFault run) {
            Settlement passing = RunWithFault.dead(false);
            run.brokerAnswers(Map.of("a1", passing, "b1", RunWithFault.dead(true), "d1", passing));
            run.drain();
            run.expectParked(0, 1, 3);
            run.expectAttempts("b1", 1);
            run.brokerTakesAll();
            run.operator().requeue("a1");
            run.operator().requeue("b1");
            run.operator().discard("d1");
            run.append("b3");
            run.drain();
            run.expectParked(0, 0, 0);
        }
    },
    REQUEUE_MANY {
        private static final String[] DEAD = {"a1", "a2", "a3", "a4", "a5", "b1", "b2"};

        @Override
        void prepare(RunWithFault run) {
            run.brokerAnswers(
                    Stream.of(DEAD).collect(Collectors.toMap(name -> name, name -> RunWithFault.dead(false))));
            run.append(DEAD);
            run.drain();
        }

        /** One key has more due events than a batch holds; its head fails once, and other keys continue meanwhile. */
        @Override
        void play(RunWithFault run) {
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.operator().requeueDead(DEAD);
            run.append("c1", "a6");
            run.drain();
            run.expectArrived("b1", "b2", "c1");
            run.expectParked(1, 5, 0);
            run.expectAttempts("a1", 1);
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            run.expectArrived("a1", "a2", "a3", "a4", "a5", "a6");
            run.expectParked(0, 0, 0);
        }
    },
    PAUSE_AND_PURGE {
        @Override
        void prepare(RunWithFault run) {
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.append("a1", "b1");
            run.drain();
        }

        @Override
        void play(RunWithFault run) {
            run.operator().pause();
            run.append("a2", "c1");
            run.drain();
            run.operator().purge();
            run.operator().resume();
            run.drain();
            run.operator().purge();
            run.expectParked(1, 1, 0);
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            run.operator().purge();
        }
    },
    TAKE_OVER {
        @Override
        void play(RunWithFault run) {
            try (LateTransaction late = run.begin("a1", "a2", "a3", "a4")) {
                run.passShort();
                run.append("b1");
                run.drain();
                run.brokerAnswers(Map.of("b2", run.retry(true)));
                run.append("c1", "c2", "b2", "c3");
                run.claimOnly();
                run.loseLease();
                run.append("c4", "b3");
                run.drain();
                late.commit();
            }
            run.append("a5");
            run.brokerAnswers(Map.of("a2", Settlement.RELEASED));
            run.sendOne();
            run.sendOne();
            run.closeCourier();
            run.passLong();
            run.drain();
        }
    },
    DROP {
        @Override
        void prepare(RunWithFault run) {
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.append("a1", "b1");
            run.drain();
        }

        @Override
        void play(RunWithFault run) {
            run.operator().failToDrop(run::keepLease);
            run.closeCourier();
            run.brokerTakesAll();
            run.operator().drop();
            run.operator().restore();
            run.append("a2");
            run.drain();
            run.expectParked(0, 0, 0);
        }
    },
    REPLAY {
        @Override
        boolean replays() {
            return true;
        }

        @Override
        void prepare(RunWithFault run) {
            run.append("a1", "b1", "a2", "c1");
            run.drain();
            run.closeCourier();
        }

        @Override
        void play(RunWithFault run) {
            run.operator().startReplay();
            DeliveryLog replayed = run.sendReplay();
            run.brokerAnswers(Map.of("a1", run.retry(true), "c1", RunWithFault.dead(false)));
            run.drain();
            expectCounts(run, new ReplayStatus.Counts(1, ReplaySize.NONE, 2, 1));
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            expectCounts(run, new ReplayStatus.Counts(3, ReplaySize.NONE, 0, 1));
            replayed.committed("a1", "b1", "a2");
            List<String> wrong = replayed.violations(true);
            run.expect(wrong.isEmpty(), "in the replay: " + wrong);
            run.sendRelayAgain();
        }

        private void expectCounts(RunWithFault run, ReplayStatus.Counts expected) {
            ReplayStatus.Counts counts = run.operator().replayed().counts();
            // A start that failed halfway has no total: until the end, the count is "at least".
            ReplaySize left = new ReplaySize(
                    counts.notSent().events(),
                    counts.notSent().exact() || run.operator().startFailed());
            run.expect(
                    new ReplayStatus.Counts(counts.sent(), left, counts.parked(), counts.dead()).equals(expected),
                    "counts: of the replay " + counts + " instead of " + expected);
        }
    },
    CANCELLED_REPLAY {
        @Override
        boolean replays() {
            return true;
        }

        @Override
        void prepare(RunWithFault run) {
            run.append("a1", "b1", "a2", "c1");
            run.drain();
            run.operator().startReplay();
            run.sendReplay();
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.sendOne();
        }

        @Override
        void play(RunWithFault run) {
            run.operator().cancelReplay();
            run.drain();
            ReplayStatus cancelled = run.operator().replayed();
            int before = run.arrivals();
            expectCancelled(run, cancelled, before);
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            run.expect(run.arrivals() == before, "in the replay: something was sent after it was cancelled");
            ReplayStatus.Counts after = run.operator().replayed().counts();
            run.expect(
                    after.equals(cancelled.counts()),
                    "counts: of the cancelled replay " + after + " instead of " + cancelled.counts());
            run.sendRelayAgain();
        }

        /** The number of events sent before a fault, or by another owner meanwhile, is not predictable; the sum is. */
        private void expectCancelled(RunWithFault run, ReplayStatus status, int arrived) {
            ReplayStatus.Counts counts = status.counts();
            run.expect(
                    status.state() == ReplayStatus.State.CANCELLED
                            && counts.notSent().exact()
                            && counts.sent() + counts.notSent().events() == 4
                            && counts.parked() + counts.dead() == 0
                            && counts.sent() <= arrived
                            && (run.struck() || counts.sent() == 1),
                    "counts: the replay is " + status.state() + " with " + counts + ", arrived are " + arrived);
        }
    };

    /** Preparation that does not fail here, because it fails in another scenario. */
    void prepare(RunWithFault run) {}

    abstract void play(RunWithFault run);

    boolean replays() {
        return false;
    }
}
