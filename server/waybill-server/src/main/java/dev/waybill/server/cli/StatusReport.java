package dev.waybill.server.cli;

import dev.waybill.admin.RelayStatus;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.server.terminal.Tone;
import dev.waybill.spi.Counted;
import dev.waybill.spi.Printable;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.RelayReport;
import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The status of relays, for people and for programs. */
final class StatusReport {
    private static final String PAUSED = "paused";
    private static final String RUNNING = "running";
    private static final String UNKNOWN = "unknown";

    private final boolean several;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> unread = new ArrayList<>();

    /**
     * A relay; without status if it is configured and never ran, or if its store cannot be read.
     *
     * @param relay empty if none is known, because the store cannot be read
     * @param unknown why its store cannot be read
     * @param shareable whether its store has a register of processes
     */
    private record Line(
            String store,
            String relay,
            Optional<RelayStatus> status,
            Optional<Unknown> unknown,
            boolean shareable,
            List<SharingProcess> processes) {}

    /** Why a store cannot be read, and since when this command has been trying in vain. */
    private record Unknown(String why, Instant since) {}

    /** A process that shares a relay, and what it reports of it. */
    private record SharingProcess(Entry entry, Optional<RelayReport> report) {}

    /** @param several whether there are several stores, so that each line names its store */
    StatusReport(boolean several) {
        this.several = several;
    }

    void add(Stores.Named store) {
        Set<String> missing = new HashSet<>(store.configured());
        List<RelayStatus> relays = store.admin().relays();
        Register processes = register(store);
        for (RelayStatus status : relays) {
            lines.add(line(store, status.name(), Optional.of(status), processes));
            missing.remove(status.name());
        }
        store.configured().stream()
                .filter(missing::contains)
                .forEach(relay -> lines.add(line(store, relay, Optional.empty(), processes)));
    }

    /** A store that cannot be read: nothing is known of its relays, not even which there are. */
    void addUnknown(Stores.Named store, String why, Instant since) {
        Set<String> relays = store.configured().isEmpty() ? Set.of("") : store.configured();
        Optional<Unknown> unknown = Optional.of(new Unknown(why, since));
        relays.forEach(relay -> lines.add(new Line(store.name(), relay, Optional.empty(), unknown, true, List.of())));
    }

    /** The processes that share the relays of a store. */
    private record Register(List<Entry> processes, List<RelayReport> reports) {
        /** Those that run the relay, or would, or report why they cannot. */
        List<SharingProcess> of(String relay) {
            return processes.stream()
                    .map(entry -> new SharingProcess(
                            entry,
                            reports.stream()
                                    .filter(report -> report.relay().value().equals(relay)
                                            && report.process().equals(entry.process()))
                                    .findFirst()))
                    .filter(process -> process.report().isPresent()
                            || process.entry().relays().stream()
                                    .anyMatch(name -> name.value().equals(relay)))
                    .toList();
        }
    }

    /** Who may not read the register, or cannot now, sees everything else. */
    private Register register(Stores.Named store) {
        try {
            return new Register(
                    store.processes().map(ProcessRegister::processes).orElse(List.of()),
                    store.processes().map(ProcessRegister::reports).orElse(List.of()));
        } catch (StoreException e) {
            unread.add("Which processes share relays of " + store.name() + " cannot be read: "
                    + Printable.of(String.valueOf(e.getMessage())));
            return new Register(List.of(), List.of());
        }
    }

    private static Line line(Stores.Named store, String relay, Optional<RelayStatus> status, Register processes) {
        return new Line(
                store.name(), relay, status, Optional.empty(), store.processes().isPresent(), processes.of(relay));
    }

    String text(Terminal terminal) {
        if (lines.isEmpty()) {
            return "No relay has read this store yet. One appears here when it first runs.";
        }
        Table table = new Table();
        if (several) {
            table.column("STORE");
        }
        table.column("RELAY")
                .column("STATE")
                .textColumn("RUN BY")
                .spared()
                .numberColumn("EPOCH")
                .spared();
        table.numberColumn("BACKLOG")
                .numberColumn("OLDEST")
                .numberColumn("PARKED")
                .numberColumn("DEAD");
        table.numberColumn("PER S");
        for (Line line : lines) {
            List<Cell> cells = new ArrayList<>();
            if (several) {
                cells.add(Cell.of(line.store()));
            }
            cells.add(Cell.of(line.relay().isEmpty() ? "-" : line.relay()));
            cells.addAll(line.status().map(status -> cells(line, status)).orElseGet(() -> withoutStatus(line)));
            table.row(cells.toArray(new Cell[0]));
        }
        return table.on(terminal) + processes() + notShared() + failing() + hidden() + unread();
    }

    /** How many relays each process runs, of those that share relays. */
    private String processes() {
        Map<String, Entry> newest = new TreeMap<>();
        lines.stream()
                .flatMap(line -> line.processes().stream().map(SharingProcess::entry))
                .forEach(process ->
                        newest.merge(process.process().value(), process, (a, b) -> a.beat() >= b.beat() ? a : b));
        return newest.isEmpty()
                ? ""
                : newest.values().stream()
                        .map(process ->
                                Printable.of(process.process()) + " runs " + Counted.of(process.held(), "relay"))
                        .collect(Collectors.joining(", ", System.lineSeparator() + "Shared by: ", "."));
    }

    /** A process with one relay has nothing to share. */
    private String notShared() {
        List<String> relays = lines.stream()
                .filter(line -> !line.shareable())
                .map(Line::relay)
                .toList();
        return relays.isEmpty() || lines.size() == 1
                ? ""
                : System.lineSeparator() + "Not shared evenly, because their stores have no register of processes: "
                        + String.join(", ", relays) + ".";
    }

    /** Why processes fail with relays, in their own words. */
    private String failing() {
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            for (SharingProcess process : line.processes()) {
                process.report()
                        .flatMap(RelayReport::failingFor)
                        .ifPresent(time -> text.append(System.lineSeparator())
                                .append("Relay ")
                                .append(line.relay())
                                .append(" has been failing for ")
                                .append(time.toSeconds())
                                .append(" s in ")
                                .append(Printable.of(process.entry().process()))
                                .append(process.report()
                                        .flatMap(RelayReport::problem)
                                        .map(problem -> ": " + Printable.of(problem))
                                        .orElse(".")));
            }
        }
        return text.toString();
    }

    private String unread() {
        return unread.stream().map(words -> System.lineSeparator() + words).collect(Collectors.joining());
    }

    /** A note on rows that no column counts. */
    private String hidden() {
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            long rows = line.status()
                    .map(RelayStatus::hidden)
                    .orElse(OptionalLong.empty())
                    .orElse(0);
            if (rows > 0) {
                text.append(System.lineSeparator())
                        .append("Relay ")
                        .append(line.relay())
                        .append(": ")
                        .append(
                                rows > RelayStatus.COUNTED
                                        ? "more than " + Cell.grouped(RelayStatus.COUNTED) + " rows are"
                                        : Counted.of(rows, "row is", "rows are"))
                        .append(" hidden by a null and never sent; waybill doctor names the column.");
            }
        }
        return text.toString();
    }

    private static List<Cell> cells(Line line, RelayStatus relay) {
        String state = state(line, relay);
        return List.of(
                new Cell(state, tone(state)),
                Cell.of(relay.lease().map(RelayStatus.Lease::owner)),
                Cell.of(relay.lease().map(lease -> Long.toString(lease.epoch()))),
                Cell.of((relay.backlogExact() ? "" : "~") + Cell.grouped(relay.backlog())),
                Cell.age(relay.oldest()),
                new Cell(counted(relay.parked()), relay.parked() == 0 ? Tone.PLAIN : Tone.WARN),
                new Cell(counted(relay.dead()), relay.dead() == 0 ? Tone.PLAIN : Tone.BAD),
                Cell.of(
                        relay.publishedPerSecond().isPresent()
                                ? String.format(
                                        Locale.ROOT,
                                        "%,.1f",
                                        relay.publishedPerSecond().getAsDouble())
                                : "-"));
    }

    private static List<Cell> withoutStatus(Line line) {
        Cell nothing = Cell.of("-");
        return List.of(
                new Cell(stateWithoutStatus(line), Tone.WARN),
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing);
    }

    /** Counting stops at a bound. */
    private static String counted(long number) {
        return number > RelayStatus.COUNTED ? "> " + Cell.grouped(RelayStatus.COUNTED) : Cell.grouped(number);
    }

    List<Map<String, Object>> json() {
        return lines.stream().map(StatusReport::json).toList();
    }

    private static Map<String, Object> json(Line line) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", line.store());
        if (!line.relay().isEmpty()) {
            one.put("relay", line.relay());
        }
        one.put("state", line.status().map(status -> state(line, status)).orElseGet(() -> stateWithoutStatus(line)));
        if (line.unknown().isPresent()) {
            one.put("error", line.unknown().get().why());
            one.put("unknownSince", line.unknown().get().since().toString());
            return one;
        }
        line.status().ifPresent(relay -> fill(one, relay));
        one.put("shareable", line.shareable());
        if (!line.processes().isEmpty()) {
            one.put(
                    "processes",
                    line.processes().stream().map(StatusReport::json).toList());
        }
        return one;
    }

    private static Map<String, Object> json(SharingProcess process) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("process", process.entry().process().value());
        one.put("relays", process.entry().held());
        process.report().ifPresent(report -> {
            one.put("phase", report.phase());
            report.failingFor().ifPresent(time -> one.put("failingSeconds", seconds(time)));
            report.problem().ifPresent(problem -> one.put("problem", problem));
        });
        return one;
    }

    private static void fill(Map<String, Object> one, RelayStatus relay) {
        relay.lease().ifPresent(lease -> {
            one.put("owner", lease.owner());
            one.put("epoch", lease.epoch());
            one.put("leaseUntil", lease.until().toString());
        });
        one.put("backlog", relay.backlog());
        one.put("backlogExact", relay.backlogExact());
        relay.oldest().ifPresent(age -> one.put("oldestSeconds", seconds(age)));
        one.put("parked", relay.parked());
        relay.oldestParked().ifPresent(age -> one.put("oldestParkedSeconds", seconds(age)));
        one.put("dead", relay.dead());
        relay.hidden().ifPresent(rows -> one.put("hidden", rows));
        relay.publishedPerSecond().ifPresent(rate -> one.put("publishedPerSecond", rate));
        relay.unattended().ifPresent(time -> one.put("unattendedSeconds", time.toSeconds()));
        relay.committed().ifPresent(position -> one.put("committedPosition", position));
    }

    private static double seconds(Duration age) {
        return age.toMillis() / 1000.0;
    }

    private static String stateWithoutStatus(Line line) {
        return line.unknown().isPresent() ? UNKNOWN : "never ran";
    }

    private static String state(Line line, RelayStatus relay) {
        if (relay.paused()) {
            return PAUSED;
        }
        if (relay.lease().isPresent()) {
            return failsIn(line, relay.lease().get().owner()) ? "failing" : RUNNING;
        }
        return relay.abandoned() ? "abandoned" : "not running";
    }

    /** Whether the process that holds the lease reports that the relay fails. */
    private static boolean failsIn(Line line, String owner) {
        return line.processes().stream()
                .flatMap(process -> process.report().stream())
                .anyMatch(report -> report.process().value().equals(owner)
                        && report.failingFor().isPresent());
    }

    private static Tone tone(String state) {
        return switch (state) {
            case PAUSED -> Tone.WARN;
            case RUNNING -> Tone.GOOD;
            default -> Tone.BAD;
        };
    }
}
