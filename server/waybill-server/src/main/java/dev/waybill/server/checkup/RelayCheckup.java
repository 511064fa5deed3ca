package dev.waybill.server.checkup;

import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.Counted;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Findings about a relay, for the doctor.
 *
 * @param failing reports of processes in which it fails
 * @param locked whether a session keeps tables of the store locked
 */
record RelayCheckup(RelayStatus relay, List<RelayReport> failing, boolean locked) {
    /** A running relay that is further behind does not keep up, or waits for its broker. */
    private static final Duration FAR_BEHIND = Duration.ofMinutes(5);

    private static final String LEASE = "lease";
    private static final String PARKED = "parked";
    private static final String BLOCKED =
            "A session keeps tables of the store locked: see the finding locks. A process that runs the relay goes on when that"
                    + " session's transaction ends.";

    /**
     * @param parked returns parked events, oldest first
     * @param tooLong age from which a parked event is a problem
     */
    List<Finding> findings(Function<ParkedQuery, List<ParkedEvent>> parked, Duration tooLong) {
        List<Finding> findings = new ArrayList<>();
        findings.add(lease());
        findings.add(backlog(relay));
        relay.committed()
                .ifPresent(position -> findings.add(
                        Finding.fine("delivery", "exactly once; its destination has committed position " + position)));
        if (relay.parked() > 0) {
            findings.add(parked(relay, parked, tooLong));
        }
        if (relay.dead() > 0) {
            findings.add(Finding.warning(
                    "dead",
                    counted(relay.dead(), "event is dead and waits", "events are dead and wait") + " for an operator",
                    "waybill events --relay " + name(relay)
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

    /** @param why the store cannot be read */
    static Finding unknown(String why) {
        return Finding.warning(
                LEASE,
                "cannot be told (" + why + ")",
                "Correct what the findings of its store say, and run this again.");
    }

    private Finding lease() {
        String since = relay.unattended().map(time -> " for " + Cell.age(time)).orElse("");
        if (relay.lease().isEmpty() && relay.abandoned()) {
            return Finding.problem(
                    LEASE,
                    "abandoned: no process has run it" + since + ", and retention keeps everything for it",
                    "Run it, or remove it with waybill relay drop " + name(relay) + " --reason TEXT.");
        }
        String what = relay.lease()
                .map(lease -> "held by " + lease.owner() + " in epoch " + lease.epoch())
                .orElse("no process holds it" + since);
        if (relay.paused()) {
            return Finding.warning(LEASE, what + ", but paused by an operator", resume(relay));
        }
        if (!failing.isEmpty()) {
            return Finding.problem(
                    LEASE,
                    what + failing.stream().map(RelayCheckup::failing).collect(Collectors.joining()),
                    locked ? BLOCKED : "Correct the cause: the process retries by itself.");
        }
        return relay.lease().isPresent()
                ? Finding.fine(LEASE, what)
                : Finding.warning(
                        LEASE,
                        what,
                        locked ? BLOCKED : "Start a process that runs it, with waybill run or in the application.");
    }

    private static String failing(RelayReport report) {
        return "; it has been failing in " + report.process() + " for "
                + report.failingFor().map(Cell::age).orElse("")
                + report.problem().map(problem -> ": " + problem).orElse("");
    }

    /** For a command to paste. Others may have written a name that no relay can have. */
    private static String name(RelayStatus relay) {
        return RelayName.isAllowed(relay.name()) ? relay.name() : "NAME";
    }

    private static String resume(RelayStatus relay) {
        return "waybill resume " + name(relay) + " resumes it; waybill audit shows who paused it and why.";
    }

    /** An event that is retried again and again delays its key and becomes dead late, or never. */
    private static Finding parked(
            RelayStatus relay, Function<ParkedQuery, List<ParkedEvent>> parked, Duration tooLong) {
        String what = counted(relay.parked(), "event is parked", "events are parked")
                + relay.oldestParked()
                        .map(age -> ", the oldest " + Cell.age(age) + " old")
                        .orElse("");
        if (relay.oldestParked().isEmpty()) {
            return Finding.warning(
                    PARKED,
                    what + first(relay, parked)
                            + "; for how long is unknown, because the store keeps no creation time of them",
                    lists(relay) + " with their attempts and errors: many attempts mean a long time. To see their age"
                            + " here, give the table a creation time and name it in the layout, as in"
                            + " columns: { created-at: created_at }.");
        }
        if (relay.oldestParked().get().compareTo(tooLong) < 0) {
            return Finding.fine(PARKED, what + "; they are retried, or wait behind one that is");
        }
        return Finding.problem(
                PARKED,
                what + first(relay, parked),
                "Correct the cause, or give the event up: " + lists(relay)
                        + " with their errors, waybill requeue tries at once, waybill discard"
                        + " gives up. They are reported from an age of " + Cell.age(tooLong)
                        + " (--parked-longer-than).");
    }

    private static String lists(RelayStatus relay) {
        return "waybill events --relay " + name(relay) + " --state parked lists them";
    }

    /** The first parked event that is retried. */
    private static String first(RelayStatus relay, Function<ParkedQuery, List<ParkedEvent>> parked) {
        return parked
                .apply(ParkedQuery.of(new RelayName(relay.name()))
                        .in(ParkedState.DUE)
                        .atMost(1))
                .stream()
                .map(event -> ": event " + event.eventId() + " (" + event.type() + ") failed "
                        + Counted.of(event.attempts(), "time")
                        + event.error().map(error -> ", last with: " + error).orElse(""))
                .findFirst()
                .orElse("");
    }

    private static String counted(long number, String one, String several) {
        return number > RelayStatus.COUNTED
                ? "more than " + Cell.grouped(RelayStatus.COUNTED) + " " + several
                : Counted.of(number, one, several);
    }

    private static Finding backlog(RelayStatus relay) {
        String what = (relay.backlogExact() ? "" : "about ") + Counted.of(relay.backlog(), "event") + " to publish"
                + relay.oldestPending()
                        .map(age -> ", the oldest " + Cell.age(age) + " old")
                        .orElse("");
        boolean far = relay.oldestPending()
                .filter(age -> age.compareTo(FAR_BEHIND) > 0)
                .isPresent();
        return far
                ? Finding.warning(
                        "backlog",
                        what,
                        "If it runs and is not paused, its broker is unavailable or it does not keep up: its log says which.")
                : Finding.fine("backlog", what);
    }
}
