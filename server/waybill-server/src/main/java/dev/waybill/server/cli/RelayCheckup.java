package dev.waybill.server.cli;

import dev.waybill.admin.Finding;
import dev.waybill.admin.RelayStatus;
import dev.waybill.server.terminal.Cell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Findings about a relay, for the doctor. */
final class RelayCheckup {
    /** A running relay that is further behind does not keep up, or waits for its broker. */
    private static final Duration FAR_BEHIND = Duration.ofMinutes(5);

    private static final String LEASE = "lease";

    private RelayCheckup() {}

    static List<Finding> of(RelayStatus relay) {
        List<Finding> findings = new ArrayList<>();
        findings.add(lease(relay));
        findings.add(backlog(relay));
        if (relay.dead() > 0) {
            findings.add(Finding.warning(
                    "dead",
                    Cell.grouped(relay.dead()) + " events are dead and wait for an operator",
                    "waybill events --relay " + relay.name()
                            + " --state dead lists them with their errors; then waybill requeue or waybill discard."));
        }
        return findings;
    }

    static Finding neverRan() {
        return Finding.warning(
                LEASE,
                "it is configured, but has never read this store",
                "Start it with waybill run, or remove it from the file.");
    }

    private static Finding lease(RelayStatus relay) {
        if (relay.lease().isPresent()) {
            RelayStatus.Lease lease = relay.lease().get();
            String what = "held by " + lease.owner() + " in epoch " + lease.epoch();
            return relay.paused()
                    ? Finding.warning(LEASE, what + ", but paused by an operator", resume(relay))
                    : Finding.fine(LEASE, what);
        }
        String since = relay.unattended().map(time -> " for " + Cell.age(time)).orElse("");
        if (relay.abandoned()) {
            return Finding.problem(
                    LEASE,
                    "abandoned: no process has run it" + since + ", and retention keeps everything for it",
                    "Run it, or remove it with waybill relay drop " + relay.name() + " --reason TEXT.");
        }
        return Finding.warning(
                LEASE,
                "no process holds it" + since + (relay.paused() ? ", and it is paused" : ""),
                relay.paused()
                        ? resume(relay)
                        : "Start a process that runs it, with waybill run or in the application.");
    }

    private static String resume(RelayStatus relay) {
        return "waybill resume " + relay.name() + " resumes it; waybill audit shows who paused it and why.";
    }

    private static Finding backlog(RelayStatus relay) {
        String what = (relay.backlogExact() ? "" : "about ") + Cell.grouped(relay.backlog()) + " events to publish"
                + relay.oldest()
                        .map(age -> ", the oldest " + Cell.age(age) + " old")
                        .orElse("");
        boolean far =
                relay.oldest().filter(age -> age.compareTo(FAR_BEHIND) > 0).isPresent();
        return far
                ? Finding.warning(
                        "backlog",
                        what,
                        "If it runs and is not paused, its broker is unavailable or it does not keep up: its log says which.")
                : Finding.fine("backlog", what);
    }
}
