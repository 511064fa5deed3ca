package dev.waybill.server.operation;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.relay.Replay;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Starts a replay and runs it in this process.
 *
 * @param size what was counted for its preview
 * @param plan of the relay whose destination, route and format it uses
 */
public record ReplayWork(
        ReplayAdmin admin, RelayName name, ReplayQuery query, ReplaySize size, Supplier<RelayPlan> plan)
        implements Work {
    private static final Duration LOOK = Duration.ofMillis(500);

    @Override
    public void run(Progress progress, Actor by) throws InterruptedException {
        admin.start(name, query, by);
        RelayPlan like = plan.get();
        Replay replay = Replay.run(name, admin, like.options(like.options().rate(progress.rate())));
        Counting counting = new Counting(progress, replay.statistics());
        try (replay) {
            for (boolean ended = false; !ended && progress.goesOn(); counting.goOn()) {
                ended = replay.awaitEnd(LOOK);
            }
        } finally {
            // What was in flight arrives before the replay is closed.
            counting.goOn();
        }
    }

    /** Adds what was sent since it last looked. */
    private static final class Counting {
        private final Progress progress;
        private final RelayStatistics statistics;
        private long sent;
        private long dead;

        Counting(Progress progress, RelayStatistics statistics) {
            this.progress = progress;
            this.statistics = statistics;
        }

        void goOn() {
            long sentNow = statistics.published();
            long deadNow = statistics.dead();
            progress.add(some(sentNow - sent), 0, some(deadNow - dead));
            sent = sentNow;
            dead = deadNow;
        }
    }

    private static int some(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    @Override
    public boolean hasExactTotal() {
        return size.exact();
    }

    /** Ends the replay itself, so that no process continues it. */
    @Override
    public void cancelled(String progress, Actor by) {
        admin.cancel(name, by);
    }
}
