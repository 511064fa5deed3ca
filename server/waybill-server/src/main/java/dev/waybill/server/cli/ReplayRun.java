package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.Replay;
import dev.waybill.server.terminal.Cell;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Runs a replay in this process until it ends, and prints its progress. */
final class ReplayRun {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(1);

    private final Output output;
    private final RelayName name;
    private final String relay;

    /** @param relay whose destination, route and format the replay uses */
    ReplayRun(Output output, RelayName name, String relay) {
        this.output = output;
        this.name = name;
        this.relay = relay;
    }

    ExitCode untilEnd(ReplayAdmin admin, RelayPlan like) {
        Replay replay = Replay.run(name, admin, like);
        Thread closing = new Thread(replay::close, "waybill-replay-ending");
        Runtime.getRuntime().addShutdownHook(closing);
        try (replay) {
            while (!replay.awaitEnd(BETWEEN_LINES)) {
                tell(replay);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        forget(closing);
        return end(admin);
    }

    /** Prints the progress, on a terminal only. */
    private void tell(Replay replay) {
        if (output.terminal().present() && !output.isJson()) {
            output.aside("sent " + Cell.grouped(replay.statistics().published())
                    + " · Ctrl-C stops here; waybill replay run " + name + " --relay " + relay
                    + " continues, waybill replay cancel " + name + " ends it");
        }
    }

    private static void forget(Thread closing) {
        try {
            Runtime.getRuntime().removeShutdownHook(closing);
        } catch (IllegalStateException e) {
            // The process is ending: the hook has run, or is about to.
        }
    }

    private ExitCode end(ReplayAdmin admin) {
        ReplayStatus status = admin.replay(name)
                .orElseThrow(() -> CommandEndedException.notFound("The replay " + name + " was dropped while it ran."));
        if (output.isJson()) {
            output.json(json(status));
        } else {
            output.line(state(status) + ": " + status.counts());
        }
        return status.state() == ReplayStatus.State.THROUGH ? ExitCode.OK : ExitCode.FAILED;
    }

    static String state(ReplayStatus status) {
        return switch (status.state()) {
            case OPEN -> status.paused() ? "paused" : status.lease().isPresent() ? "running" : "waiting";
            case CANCELLING -> "cancelling";
            case CANCELLED -> "cancelled";
            case THROUGH -> "through";
        };
    }

    static Map<String, Object> json(ReplayStatus status) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("replay", status.name());
        one.put("state", state(status));
        one.put("events", status.query().inWords());
        one.put("startedAt", status.startedAt().toString());
        one.put("by", status.by().who());
        one.put("why", status.by().why());
        status.lease().ifPresent(lease -> one.put("owner", lease.owner()));
        one.put("sent", status.counts().sent());
        one.put("notSent", status.counts().notSent().events());
        one.put("notSentExact", status.counts().notSent().exact());
        one.put("parked", status.counts().parked());
        one.put("dead", status.counts().dead());
        return one;
    }
}
