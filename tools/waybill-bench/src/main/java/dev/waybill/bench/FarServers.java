package dev.waybill.bench;

import dev.waybill.bench.results.Results.Consumed;
import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.servers.Distance;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.DrainPlan;
import dev.waybill.bench.systems.Rounds;
import java.sql.SQLException;
import java.util.List;

/** Drains and latencies over a slower link, beside a transaction that stays open, and of a consumer. */
final class FarServers {
    /** So few that four clients reach it although each of their statements takes 5 ms longer. */
    private static final int RATE = 100;

    private final Comparing run;
    private final Gathered gathered;
    private final Scale scale;

    FarServers(Comparing run, Gathered gathered) {
        this.run = run;
        this.gathered = gathered;
        this.scale = run.scale();
    }

    void measure() throws SQLException, InterruptedException {
        far(Distance.NONE);
        far(Distance.DATABASE);
        far(Distance.BROKER);
        inbox();
    }

    /**
     * On servers of its own and in new processes, which have drained for as long before, over every link. What the others are compared
     * with is measured more than once.
     */
    private void far(Distance distance) throws SQLException, InterruptedException {
        Progress.say("%s …", distance.label);
        try (Servers servers = Servers.start(distance);
                Comparison comparison = run.open(servers)) {
            comparison.begin(Part.distance.name());
            drain(distance, comparison);
            if (distance == Distance.NONE) {
                openTransaction(comparison);
            } else if (scale.thorough()) {
                latency(distance, comparison);
            }
            gathered.missing(comparison.missing());
        }
    }

    private void latency(Distance distance, Comparison comparison) throws SQLException, InterruptedException {
        for (Latency latency :
                comparison.latency(run.wanted(Lineup.relays()), scale.latencySeconds() / 3, system -> RATE)) {
            gathered.distantLatencies.add(new DistantLatency(distance.label, latency));
        }
    }

    private void drain(Distance distance, Comparison comparison) throws SQLException, InterruptedException {
        if (!scale.distantWarmUp().isZero()) {
            comparison.warmUp(systems(), plan(), scale.distantWarmUp());
        }
        gathered.vary(
                Part.distance,
                "link",
                distance.label,
                comparison.drain(systems(), plan(), distance == Distance.NONE ? scale.drains() : Rounds.ONCE));
    }

    private List<String> systems() {
        return run.wanted(Lineup.distant(scale.thorough()));
    }

    private DrainPlan plan() {
        return DrainPlan.of(scale.distantEvents());
    }

    /** Its figures are compared with those of the direct link. */
    private void openTransaction(Comparison comparison) throws SQLException, InterruptedException {
        Progress.say("beside a transaction that stays open …");
        gathered.vary(
                Part.distance,
                "beside",
                "an open transaction",
                comparison.drain(systems(), plan().besideOpenTransaction(), scale.drains()));
    }

    private void inbox() throws SQLException, InterruptedException {
        Progress.say("a consumer and its inbox …");
        try (Servers servers = Servers.start();
                InboxRun consuming = new InboxRun(servers, scale.inboxEvents())) {
            consuming
                    .inTurns(scale.rounds())
                    .forEach((way, figures) ->
                            gathered.inbox.add(new Consumed(way.words, figures.rate(), figures.commitsPerEvent())));
        }
    }
}
