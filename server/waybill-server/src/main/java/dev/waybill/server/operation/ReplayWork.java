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

/** Starts a replay and runs it in this process. Not safe for use by many threads. */
public final class ReplayWork implements Work {
    private static final Duration LOOK = Duration.ofMillis(500);

    private final ReplayAdmin admin;
    private final RelayName name;
    private final ReplayQuery query;
    private final ReplaySize size;
    private final Supplier<RelayPlan> plan;
    private boolean started;

    /**
     * @param size what was counted for its preview
     * @param plan of the relay whose destination, route and format it uses
     */
    public ReplayWork(ReplayAdmin admin, RelayName name, ReplayQuery query, ReplaySize size, Supplier<RelayPlan> plan) {
        this.admin = admin;
        this.name = name;
        this.query = query;
        this.size = size;
        this.plan = plan;
    }

    @Override
    public void run(Progress progress, Actor by) throws InterruptedException {
        admin.start(name, query, by);
        started = true;
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

    /** Ends the replay itself, so that no process continues it; unless it was refused, since another one may have the name. */
    @Override
    public void cancelled(String progress, Actor by) {
        if (started) {
            admin.cancel(name, by);
        }
    }
}
