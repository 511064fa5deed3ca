package dev.waybill.tck;

import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.spi.Settlement;
import java.util.List;
import java.util.Map;

/** What happens to a store while one of its calls fails. The letters of an event's name are its key. */
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
        void play(RunWithFault run) {
            run.brokerAnswers(Map.of("a1", run.retry(true), "c1", run.retry(false)));
            run.append("a1", "b1", "a2", "c1");
            run.drain();
            run.append("a3", "b2");
            run.drain();
            run.expectParked(4, 0);
            run.expectAttempts("a1", 1);
            run.expectAttempts("c1", 0);
            run.passLong();
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.drain();
            run.expectAttempts("a1", 2);
            run.expectParked(3, 0);
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            run.expectParked(0, 0);
        }
    },
    DEAD {
        @Override
        void play(RunWithFault run) {
            Settlement passing = RunWithFault.dead(false);
            run.brokerAnswers(Map.of("a1", passing, "b1", RunWithFault.dead(true), "d1", passing));
            run.append("a1", "b1", "d1", "a2", "b2", "c1");
            run.drain();
            run.expectParked(1, 3);
            run.expectAttempts("b1", 1);
            run.brokerTakesAll();
            run.requeue("a1");
            run.requeue("b1");
            run.discard("d1");
            run.append("b3");
            run.drain();
            run.expectParked(0, 0);
        }
    },
    PAUSE_AND_PURGE {
        @Override
        void play(RunWithFault run) {
            run.brokerAnswers(Map.of("a1", run.retry(true)));
            run.append("a1", "b1");
            run.drain();
            run.pause();
            run.append("a2", "c1");
            run.drain();
            run.purge();
            run.resume();
            run.drain();
            run.purge();
            run.expectParked(2, 0);
            run.brokerTakesAll();
            run.passLong();
            run.drain();
            run.purge();
        }
    },
    TAKE_OVER {
        @Override
        void play(RunWithFault run) {
            run.brokerAnswers(Map.of("b1", run.retry(true)));
            run.append("a1", "a2", "b1", "a3");
            run.claimOnly();
            run.loseLease();
            run.append("a4", "b2");
            run.drain();
            run.brokerTakesAll();
            run.passLong();
            run.drain();
        }
    },
    REPLAY {
        @Override
        void play(RunWithFault run) {
            run.append("a1", "b1", "a2", "c1");
            run.drain();
            run.admin(
                    "a start of a replay",
                    () -> run.replays().replay(RunWithFault.REPLAY).isPresent()
                            ? run
                            : run.replays().start(RunWithFault.REPLAY, ReplayQuery.EVERYTHING, run.actor()));
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
            ReplayStatus status =
                    run.look(() -> run.replays().replay(RunWithFault.REPLAY).orElseThrow());
            // A start that failed halfway knows no total: until the end it says "at least".
            ReplaySize left = new ReplaySize(status.counts().notSent().events(), true);
            ReplayStatus.Counts counts = new ReplayStatus.Counts(
                    status.counts().sent(),
                    left,
                    status.counts().parked(),
                    status.counts().dead());
            run.expect(counts.equals(expected), "counts: of the replay " + status.counts() + " instead of " + expected);
        }
    };

    abstract void play(RunWithFault run);
}
