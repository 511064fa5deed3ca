package dev.waybill.example.kit;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** An example that {@code ./waybill example} starts: it plays a day, and checks itself at the end. */
public final class Example {
    /** Exit code of a run that Ctrl-C ended. */
    private static final int INTERRUPTED = 130;

    private final String name;
    private final String description;
    private final int usualEvents;
    private final Play play;

    /** The driver of an example. It fills the balance before it returns. */
    @FunctionalInterface
    public interface Play {
        void play(ExampleRun run) throws Exception;
    }

    /**
     * How a run ended.
     *
     * @param exitCode 0 if every row of the balance is as expected
     * @param rows of the closing balance; empty if the run did not get that far
     */
    public record Outcome(int exitCode, List<Balance.Row> rows) {}

    /**
     * @param usualEvents events of a day if the command line does not say
     */
    public Example(String name, String description, int usualEvents, Play play) {
        this.name = name;
        this.description = description;
        this.usualEvents = usualEvents;
        this.play = play;
    }

    private final class ExampleCommand implements Callable<Integer> {
        @Option(
                names = {"--events", "--orders"},
                paramLabel = "N",
                description = "number of events; default: ${DEFAULT-VALUE}")
        private int events = usualEvents;

        @Option(names = "--exit", description = "exit after the final report; default: run until Ctrl-C")
        private boolean exit;

        @Option(names = "--chaos", description = "kill each process at least once during the run")
        private boolean chaos;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "seed of every random choice; default: random, printed")
        private @Nullable Long seed;

        private List<Balance.Row> rows = List.of();

        @Override
        public Integer call() {
            if (events < 1) {
                System.err.println("waybill example: --events takes 1 or more, not " + events + ".");
                return CommandLine.ExitCode.USAGE;
            }
            long used = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed;
            ExampleRun run;
            try {
                run = new ExampleRun(name, new ExampleOptions(events, exit, chaos, used));
            } catch (IllegalStateException e) {
                System.err.println("waybill example: " + e.getMessage());
                return CommandLine.ExitCode.USAGE;
            }
            try {
                play.play(run);
                rows = run.balance().rows();
                return run.finish();
            } catch (StoppedException e) {
                return INTERRUPTED;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return INTERRUPTED;
            } catch (Exception e) {
                run.failed(e);
                return CommandLine.ExitCode.SOFTWARE;
            } finally {
                run.close();
            }
        }
    }

    public Outcome run(String... arguments) {
        ExampleCommand command = new ExampleCommand();
        CommandLine line = new CommandLine(command);
        line.getCommandSpec()
                .name("waybill example " + name)
                .mixinStandardHelpOptions(true)
                .usageMessage()
                .sortOptions(false)
                .description(description);
        int exitCode = line.execute(arguments);
        return new Outcome(exitCode, command.rows);
    }
}
