package dev.waybill.bench;

import dev.waybill.bench.connect.ConnectCommand;
import dev.waybill.bench.drain.DrainCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill bench}: without a subcommand, everything beside the peers. */
@Command(
        name = "waybill bench",
        mixinStandardHelpOptions = true,
        description = {
            "Benchmarks on its own servers. Compare only figures of the same run.",
            "Without a subcommand: compares Waybill with a raw producer, two plain pipes and other outboxes, each in a process"
                    + " of its own, counted at a consumer. Writes a table, JSON and charts to a folder."
        },
        subcommands = {
            DrainCommand.class,
            LatencyCommand.class,
            InboxCommand.class,
            ConnectCommand.class,
            PageCommand.class
        })
public final class Bench implements Callable<Integer> {
    /** Measures everything in all sizes. */
    static final String WHOLE_RUN = "./waybill bench";

    private static final String HEAP = "256m";

    private static final int MOST_ROUNDS = 1_000;
    private static final Pattern HEAP_SIZE = Pattern.compile("[1-9]\\d{0,6}[mMgG]");

    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Option(names = "--quick", description = "fewer events: within five minutes, with rough figures")
    private boolean quick;

    @Option(
            names = "--parts",
            split = ",",
            paramLabel = "PART",
            description = "what to measure: ${COMPLETION-CANDIDATES} (default: all)")
    private List<Part> parts = List.of(Part.values());

    @Option(
            names = "--systems",
            split = ";",
            paramLabel = "NAME",
            description = "only these systems, named as in the results, separated by semicolons (default: all)")
    private @Nullable List<String> systems;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "events that fast systems drain in the part drain (default: 3000000; with --quick 100000)")
    private @Nullable Integer events;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description =
                    "measured rounds of the parts drain, append and growth (default: 3, of append 12; with --quick 1 and 2)")
    private @Nullable Integer rounds;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "of the systems of this project (default: ${DEFAULT-VALUE})")
    private String heap = HEAP;

    @Option(
            names = "--results",
            paramLabel = "FOLDER",
            description =
                    "for the results; those of earlier runs in it stay, except of the parts that are measured again"
                            + " (default: a new one in target/bench)")
    private @Nullable Path results;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAllowSubcommandsAsOptionParameters(true)
                .setExecutionStrategy(Bench::execute);
    }

    /** A subcommand has options of its own and does not know those before it. */
    private static int execute(CommandLine.ParseResult parsed) {
        if (parsed.hasSubcommand() && !parsed.matchedOptions().isEmpty()) {
            System.err.printf(
                    "bench: %s must come after %s. %s --help lists the options that it has.%n",
                    parsed.matchedOptions().get(0).longestName(),
                    parsed.subcommand().commandSpec().name(),
                    parsed.subcommand().commandSpec().qualifiedName());
            return CommandLine.ExitCode.USAGE;
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    @Override
    public Integer call() throws Exception {
        Optional<String> wrong = wrongOption();
        if (wrong.isPresent()) {
            System.err.println("bench: " + wrong.get());
            return CommandLine.ExitCode.USAGE;
        }
        Scale scale = quick ? Scale.QUICK : Scale.WHOLE;
        Path folder = results == null
                ? Path.of("target", "bench", LocalDateTime.now(ZoneOffset.UTC).format(FOLDER))
                : results;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            System.err.println("bench: the results cannot be written to " + folder
                    + ": it is not a folder and cannot be created.");
            return CommandLine.ExitCode.USAGE;
        }
        // Released when the process ends. Systems of another bench would write to the same logs, and results over
        // these.
        try (FileChannel lock =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (lock.tryLock() == null) {
                System.err.println("bench: another bench writes to " + folder + ". Give each a folder with --results.");
                return CommandLine.ExitCode.USAGE;
            }
            return compare(scale.with(orZero(events), orZero(rounds)), folder.toAbsolutePath());
        }
    }

    private int compare(Scale scale, Path folder) throws Exception {
        Comparing comparing = new Comparing(scale, folder, heap).only(wanted());
        try {
            return comparing.run(parts.stream().distinct().sorted().toList(), WHOLE_RUN + words())
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        } catch (UncheckedIOException e) {
            System.err.println("bench: " + e.getMessage() + " " + e.getCause());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** What cannot be measured as it was asked for; empty if everything can. */
    private Optional<String> wrongOption() {
        if (isOutside(events, Integer.MAX_VALUE) || isOutside(rounds, MOST_ROUNDS)) {
            return Optional.of("--events must be 1 or more, and --rounds between 1 and " + MOST_ROUNDS + ".");
        }
        if (events != null && !parts.contains(Part.drain)) {
            return Optional.of("--events is for the part drain, which is not measured.");
        }
        if (rounds != null && Collections.disjoint(parts, Set.of(Part.drain, Part.append, Part.growth))) {
            return Optional.of("--rounds is for the parts drain, append and growth, none of which is measured.");
        }
        if (!HEAP_SIZE.matcher(heap).matches()) {
            return Optional.of("--heap is a number of megabytes or gigabytes, such as 256m or 1g, not " + heap + ".");
        }
        if (systems != null && systems.stream().allMatch(String::isBlank)) {
            return Optional.of("--systems is empty.");
        }
        List<String> unknown =
                wanted().stream().filter(name -> !Lineup.all().contains(name)).toList();
        if (!unknown.isEmpty()) {
            return Optional.of("--systems has no " + String.join(", no ", unknown) + ". Separate names by semicolons: "
                    + String.join(";", Lineup.all()));
        }
        List<String> idle = wanted().stream()
                .filter(name ->
                        parts.stream().noneMatch(part -> Lineup.of(part, !quick).contains(name)))
                .toList();
        if (!idle.isEmpty()) {
            return Optional.of("no part that is measured has " + String.join(", or ", idle) + ".");
        }
        return Optional.empty();
    }

    private List<String> wanted() {
        return systems == null ? List.of() : systems;
    }

    private static int orZero(@Nullable Integer given) {
        return given == null ? 0 : given;
    }

    private static boolean isOutside(@Nullable Integer given, int most) {
        return given != null && (given < 1 || given > most);
    }

    /** What was asked for, as one would type it. */
    private String words() {
        StringBuilder words = new StringBuilder();
        if (quick) {
            words.append(" --quick");
        }
        if (parts.size() < Part.values().length) {
            words.append(" --parts ").append(parts.stream().map(Part::name).collect(Collectors.joining(",")));
        }
        if (!wanted().isEmpty()) {
            words.append(" --systems '").append(String.join(";", wanted())).append('\'');
        }
        if (events != null) {
            words.append(" --events ").append(events);
        }
        if (rounds != null) {
            words.append(" --rounds ").append(rounds);
        }
        if (!heap.equals(HEAP)) {
            words.append(" --heap ").append(heap);
        }
        return words.toString();
    }
}
