package dev.waybill.server.cli;

import dev.waybill.admin.AuditEntry;
import dev.waybill.server.checkup.Checkup;
import dev.waybill.server.checkup.WaitingLetters;
import dev.waybill.server.config.Installation;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Commands that report on stores, relays and brokers. */
final class ReportCommands {
    private ReportCommands() {}

    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the state of each relay: the process that runs it, its backlog, and its parked and"
                        + " dead events.",
                "OLDEST is the age of the oldest pending or parked event. BACKLOG is exact up to 10,000"
                        + " and an estimate (~) above. PER S is the publishing rate of the last minute. If a"
                        + " store cannot be read, the state of its relays is unknown: standard error and the JSON say"
                        + " why, and the exit code is 1. Other stores are still shown."
            })
    static int status(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Option(names = "--watch", description = "refresh until Ctrl-C") boolean watch,
            @Option(
                            names = "--every",
                            paramLabel = "TIME",
                            defaultValue = "2s",
                            description = "interval of --watch; default: ${DEFAULT-VALUE}")
                    String every,
            @Option(
                            names = "--dead-letters",
                            description =
                                    "also count each consumer's dead-letter messages; slower, because it queries the brokers;"
                                            + " needs a configuration")
                    boolean deadLetters) {
        Duration pause = Times.duration(every);
        try (Stores stores = choice.open(output)) {
            if (deadLetters && stores.installation().isEmpty()) {
                throw CommandEndedException.usage(
                        "--dead-letters needs a configuration that names the brokers: --config FILE.");
            }
            Map<String, Instant> unknownSince = new HashMap<>();
            ExitCode code = status(stores, output, watch, deadLetters, unknownSince);
            while (watch && output.context().pause().test(pause)) {
                code = status(stores, output, true, deadLetters, unknownSince);
            }
            return code.number();
        }
    }

    /** @param unknownSince since when each store cannot be read, as far as this command has seen */
    private static ExitCode status(
            Stores stores, Output output, boolean watch, boolean deadLetters, Map<String, Instant> unknownSince) {
        StatusReport report = new StatusReport(stores.several());
        StringBuilder unavailable = new StringBuilder();
        for (Stores.Named store : stores.all()) {
            Instant now = output.context().clock().instant();
            try {
                report.add(store);
                unknownSince.remove(store.name());
            } catch (StoreException e) {
                Instant since = unknownSince.computeIfAbsent(store.name(), first -> now);
                report.addUnknown(store, String.valueOf(e.getMessage()), since);
                unavailable.append(line(
                        "the store " + store.name() + " cannot be read since " + Cell.time(since)
                                + ", so the state of its relays is unknown",
                        e));
            }
        }
        WaitingLetters letters = new WaitingLetters();
        if (deadLetters) {
            stores.installation().ifPresent(installation -> unavailable.append(count(installation, letters)));
        }
        if (output.isJson()) {
            output.json(deadLetters ? Map.of("relays", report.json(), "deadLetters", letters.json()) : report.json());
        } else {
            if (watch && output.terminal().present()) {
                output.clear();
            }
            output.line(report.text(output.terminal()));
            if (!letters.isEmpty()) {
                output.line("");
                output.print(letters.table());
            }
        }
        if (unavailable.length() > 0) {
            output.aside(unavailable.toString().stripTrailing());
        }
        return unavailable.length() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    /** @return lines about brokers that cannot be asked */
    private static String count(Installation installation, WaitingLetters letters) {
        StringBuilder unavailable = new StringBuilder();
        for (String destination : installation.destinations()) {
            try {
                letters.add(installation, destination);
            } catch (SourceException e) {
                letters.addUnknown(destination, String.valueOf(e.getMessage()));
                unavailable.append(line(
                        "dead letters of the destination " + destination + " cannot be counted, so their number is"
                                + " unknown",
                        e));
            }
        }
        return unavailable.toString();
    }

    private static String line(String about, RuntimeException e) {
        return "waybill: " + about + ": " + e.getMessage() + System.lineSeparator();
    }

    @Command(
            name = "doctor",
            mixinStandardHelpOptions = true,
            description = {
                "Checks everything and says what to do: connection and TLS, schema, grants, sessions that"
                        + " block vacuum, indexes, the order of events, clocks, leases and abandoned relays. With a"
                        + " configuration, also brokers, topics and the number of dead-letter messages. Changes"
                        + " nothing.",
                "The exit code is 0 if all is well, 5 with warnings, 6 with problems."
            })
    static int doctor(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Option(
                            names = "--parked-longer-than",
                            paramLabel = "TIME",
                            defaultValue = "1h",
                            description = "report events parked longer than this; default: ${DEFAULT-VALUE}")
                    String parkedLongerThan) {
        Duration tooLong = Times.duration(parkedLongerThan);
        DoctorReport report = new DoctorReport(output.context().secrets());
        try (Stores stores = choice.open(output)) {
            Checkup checkup = new Checkup(report::add);
            stores.all()
                    .forEach(store -> checkup.examine(
                            new Checkup.Store(store.name(), store.admin(), store.configured(), store.processes()),
                            tooLong));
            stores.installation()
                    .ifPresent(installation -> installation
                            .destinations()
                            .forEach(destination -> checkup.examine(installation, destination, true)));
        }
        if (output.isJson()) {
            output.json(report.json());
        } else {
            report.lines(output.terminal()).forEach(output::line);
        }
        return report.code().number();
    }

    @Command(
            name = "audit",
            mixinStandardHelpOptions = true,
            description = "Lists the operators' changes to a store, newest first: time, database user, given name,"
                    + " action, relay, number of events, and reason. Includes denied actions.")
    static int audit(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Option(
                            names = "--limit",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "maximum number of entries; default: ${DEFAULT-VALUE}")
                    int limit) {
        try (Stores stores = choice.open(output)) {
            return output.list(
                    stores.only().admin().audit(limit),
                    ReportCommands::json,
                    "Nobody has changed anything in this store yet.",
                    ReportCommands::table);
        }
    }

    private static Table table(List<AuditEntry> entries) {
        Table table = new Table()
                .column("WHEN")
                .column("USER")
                .column("AS")
                .column("DID")
                .textColumn("RELAY");
        table.textColumn("TO").textColumn("WHY");
        for (AuditEntry entry : entries) {
            table.row(
                    Cell.of(Cell.time(entry.at())),
                    Cell.of(entry.login().map(AuditEntry.Login::user).orElse("")),
                    Cell.of(entry.by().who()),
                    entry.allowed() ? Cell.of(entry.action()) : new Cell(entry.action() + " DENIED", Tone.BAD),
                    Cell.of(entry.relay()),
                    Cell.of(entry.details()),
                    Cell.of(entry.by().why()));
        }
        return table;
    }

    private static Map<String, Object> json(AuditEntry entry) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("at", entry.at().toString());
        one.put("who", entry.by().who());
        entry.login().ifPresent(login -> {
            one.put("user", login.user());
            login.address().ifPresent(address -> one.put("address", address));
        });
        one.put("allowed", entry.allowed());
        one.put("why", entry.by().why());
        one.put("action", entry.action());
        one.put("relay", entry.relay());
        one.put("details", entry.details());
        return one;
    }
}
