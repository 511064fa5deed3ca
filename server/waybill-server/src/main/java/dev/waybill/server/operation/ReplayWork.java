package dev.waybill.server.operation;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.Replay;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Starts a replay and runs it in this process.
 *
 * @param plan of the relay whose destination, route and format it uses
 */
public record ReplayWork(ReplayAdmin admin, RelayName name, ReplayQuery query, Supplier<RelayPlan> plan)
        implements Work {
    private static final Duration LOOK = Duration.ofMillis(500);

    @Override
    public void run(Progress progress, Actor by) throws InterruptedException {
        admin.start(name, query, by);
        RelayPlan like = plan.get();
        try (Replay replay = Replay.run(name, admin, like.options(like.options().rate(progress.rate())))) {
            long known = 0;
            long knownDead = 0;
            boolean ended = false;
            while (!ended && progress.goesOn()) {
                ended = replay.awaitEnd(LOOK);
                long sent = replay.statistics().published();
                long dead = replay.statistics().dead();
                progress.add(some(sent - known), 0, some(dead - knownDead));
                known = sent;
                knownDead = dead;
            }
        }
    }

    private static int some(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    /** Ends the replay itself, so that no process continues it. */
    @Override
    public void cancelled(String progress, Actor by) {
        admin.cancel(name, by);
    }
}
