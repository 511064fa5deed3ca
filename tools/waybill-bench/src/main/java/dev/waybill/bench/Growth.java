package dev.waybill.bench;

import dev.waybill.bench.kit.Shape;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.servers.Progress;
import dev.waybill.bench.systems.Comparison;
import dev.waybill.bench.systems.DrainPlan;
import dev.waybill.bench.systems.Rounds;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Drains that show whether the rate depends on the backlog, on what is retained, on the keys or on the number of relays. */
final class Growth {
    private static final List<Integer> BACKLOGS = List.of(10_000, 100_000, 1_000_000);
    /** Backlogs of at most this size are also drained from the start, and in more rounds. */
    private static final int SMALL = 100_000;

    /** Events that a system sends before its backlog is written. */
    private static final int WARM_UP = 200_000;

    private static final List<Integer> RELAYS = List.of(1, 10, 40);
    private static final Duration LONGEST = Duration.ofMinutes(4);

    private final Comparing run;
    private final Comparison comparison;
    private final Gathered gathered;
    private final Scale scale;

    Growth(Comparing run, Comparison comparison, Gathered gathered) {
        this.run = run;
        this.comparison = comparison;
        this.gathered = gathered;
        this.scale = run.scale();
    }

    void measure() throws SQLException, InterruptedException {
        backlogs();
        retained();
        keys();
        relays();
    }

    private static DrainPlan plan(int events, Shape shape) {
        return DrainPlan.of(events).shape(shape).longest(LONGEST);
    }

    private static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private void backlogs() throws SQLException, InterruptedException {
        List<String> systems = run.wanted(Lineup.growing());
        for (int backlog : BACKLOGS) {
            if (backlog < scale.largestBacklog()) {
                // A small backlog is drained in milliseconds; the median of more rounds is steadier.
                Rounds rounds = new Rounds(0, backlog <= SMALL ? 3 * scale.rounds() : scale.rounds());
                vary("backlog", number(backlog), comparison.drain(systems, running(backlog), rounds));
            }
        }
        for (int backlog : BACKLOGS) {
            if (backlog <= Math.min(SMALL, scale.largestBacklog())) {
                vary(
                        "backlog, from the start",
                        number(backlog),
                        comparison.drain(systems, plan(backlog, Shape.USUAL), scale.drains()));
            }
        }
        int largest = scale.largestBacklog();
        Progress.say("backlog of %,d …", largest);
        // Writing it takes minutes. The journal's rate is compared with those of smaller backlogs, the pipe's only with
        // the journal's.
        vary(
                "backlog",
                number(largest),
                comparison.drain(run.wanted(Lineup.labels(OwnSystem.OVERLAPPED)), running(largest), Rounds.ONCE));
        vary(
                "backlog",
                number(largest),
                comparison.drain(run.wanted(Lineup.labels(OwnSystem.JOURNAL)), running(largest), scale.drains()));
    }

    private DrainPlan running(int backlog) {
        return running(plan(backlog, Shape.USUAL));
    }

    private DrainPlan running(DrainPlan plan) {
        return plan.running(Math.min(WARM_UP, scale.largestBacklog()));
    }

    /** After the largest backlog, whose events are then the retained ones. What is drained is written just before, with and without. */
    private void retained() throws SQLException, InterruptedException {
        List<String> systems = run.wanted(Lineup.labels(OwnSystem.JOURNAL));
        int retained = scale.largestBacklog();
        Progress.say("%,d retained …", retained);
        List<Drain> beside = comparison.drain(
                systems, running(plan(scale.variedEvents(), Shape.USUAL.withRetained(retained))), scale.drains());
        vary("retained", "0", comparison.drain(systems, running(scale.variedEvents()), scale.drains()));
        vary("retained", number(retained), beside);
    }

    private void keys() throws SQLException, InterruptedException {
        for (int keys : List.of(1, 100, 100_000)) {
            keys(number(keys), Shape.USUAL.withKeys(keys));
        }
        keys("2,000, one of them hot (90 %)", Shape.USUAL.withHotKey());
    }

    private void keys(String value, Shape shape) throws SQLException, InterruptedException {
        Progress.say("keys: %s …", value);
        vary(
                "keys",
                value,
                comparison.drain(run.wanted(Lineup.withKeys()), plan(scale.variedEvents(), shape), Rounds.ONCE));
    }

    private void relays() throws SQLException, InterruptedException {
        for (int relays : RELAYS) {
            Progress.say("%d relays in a process, each sends everything …", relays);
            vary(
                    "relays",
                    number(relays),
                    comparison.drain(
                            run.wanted(Lineup.labels(OwnSystem.JOURNAL)),
                            plan(Math.max(20_000, scale.variedEvents() / 10), Shape.USUAL.withRelays(relays)),
                            Rounds.ONCE));
        }
    }

    private void vary(String what, String value, List<Drain> measured) {
        gathered.vary(Part.growth, what, value, measured);
    }
}
