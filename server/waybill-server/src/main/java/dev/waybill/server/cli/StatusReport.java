package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.admin.RelayStatus;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.server.terminal.Tone;
import dev.waybill.spi.Counted;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.Entry;
import java.time.Duration;
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
    private final boolean several;
    private final List<Line> lines = new ArrayList<>();

    /** A relay; without status if it is configured and never ran. */
    private record Line(String store, String relay, Optional<RelayStatus> status, List<Entry> processes) {}

    /** @param several whether there are several stores, so that each line names its store */
    StatusReport(boolean several) {
        this.several = several;
    }

    void add(Stores.Named store) {
        Set<String> missing = new HashSet<>(store.configured());
        List<RelayStatus> relays = store.admin().relays();
        List<Entry> processes =
                store.processes().map(ProcessRegister::processes).orElse(List.of());
        for (RelayStatus status : relays) {
            lines.add(line(store, status.name(), Optional.of(status), processes));
            missing.remove(status.name());
        }
        store.configured().stream()
                .filter(missing::contains)
                .forEach(relay -> lines.add(line(store, relay, Optional.empty(), processes)));
    }

    private static Line line(Stores.Named store, String relay, Optional<RelayStatus> status, List<Entry> processes) {
        return new Line(
                store.name(),
                relay,
                status,
                processes.stream()
                        .filter(process -> process.relays().contains(new RelayName(relay)))
                        .toList());
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
            cells.add(Cell.of(line.relay()));
            cells.addAll(line.status().map(StatusReport::cells).orElseGet(StatusReport::neverRan));
            table.row(cells.toArray(new Cell[0]));
        }
        return table.on(terminal) + processes() + hidden();
    }

    /** How many relays each process runs, of those that share relays. */
    private String processes() {
        Map<String, Entry> newest = new TreeMap<>();
        lines.stream()
                .flatMap(line -> line.processes().stream())
                .forEach(process ->
                        newest.merge(process.process().value(), process, (a, b) -> a.beat() >= b.beat() ? a : b));
        return newest.isEmpty()
                ? ""
                : newest.values().stream()
                        .map(process -> process.process() + " runs " + Counted.of(process.held(), "relay"))
                        .collect(Collectors.joining(", ", System.lineSeparator() + "Shared by: ", "."));
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

    private static List<Cell> cells(RelayStatus relay) {
        return List.of(
                new Cell(state(relay), tone(relay)),
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

    private static List<Cell> neverRan() {
        Cell nothing = Cell.of("-");
        return List.of(new Cell("never ran", Tone.WARN), nothing, nothing, nothing, nothing, nothing, nothing, nothing);
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
        one.put("relay", line.relay());
        one.put("state", line.status().map(StatusReport::state).orElse("never ran"));
        line.status().ifPresent(relay -> fill(one, relay));
        if (!line.processes().isEmpty()) {
            one.put(
                    "processes",
                    line.processes().stream().map(StatusReport::json).toList());
        }
        return one;
    }

    private static Map<String, Object> json(Entry process) {
        return Map.of("process", process.process().value(), "relays", process.held());
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

    private static String state(RelayStatus relay) {
        if (relay.paused()) {
            return "paused";
        }
        if (relay.lease().isPresent()) {
            return "running";
        }
        return relay.abandoned() ? "abandoned" : "not running";
    }

    private static Tone tone(RelayStatus relay) {
        if (relay.paused()) {
            return Tone.WARN;
        }
        return relay.lease().isPresent() ? Tone.GOOD : Tone.BAD;
    }
}
