package dev.waybill.bench;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.ReadmeText;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the documentation's page about benchmarks from the results of a run. */
@Command(
        name = "page",
        mixinStandardHelpOptions = true,
        description =
                "Stores the results of a run with the documentation, and writes docs/benchmarks.md and what the README says about speed.")
@SuppressWarnings("NullAway.Init") // picocli sets required parameters before it runs the command
final class PageCommand implements Callable<Integer> {
    static final String FOLDER = "benchmarks";

    @Parameters(paramLabel = "FOLDER", description = "the results of a run")
    private Path results;

    @Option(names = "--docs", paramLabel = "FOLDER", description = "(default: ${DEFAULT-VALUE})")
    private Path docs = Path.of("docs");

    @Override
    public Integer call() throws IOException {
        Path file = results.resolve("results.json");
        if (!Files.exists(file)) {
            System.err.println("bench: there is no " + file + ". Give the folder that ./waybill bench has printed.");
            return CommandLine.ExitCode.USAGE;
        }
        if (!Files.isDirectory(docs)) {
            System.err.println(
                    "bench: there is no folder " + docs + ". Run this where the documentation is, or give --docs.");
            return CommandLine.ExitCode.USAGE;
        }
        Results stored;
        try {
            stored = ResultsFolder.read(file);
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        if (!isOfWholeRun(stored)) {
            System.err.printf(
                    "bench: the page is of one run of %s with all parts and without options; %s has %s of %s, %s.%n",
                    Bench.WHOLE_RUN,
                    results,
                    stored.parts().isEmpty()
                            ? "no part"
                            : String.join(", ", stored.parts().keySet()),
                    stored.isOfOneRun() ? "one run" : "several runs",
                    stored.command());
            return CommandLine.ExitCode.USAGE;
        }
        Path readme = docs.resolveSibling("README.md");
        Optional<String> changed =
                Files.exists(readme) ? ReadmeText.in(Files.readString(readme), stored) : Optional.empty();
        try {
            write(docs.resolve("benchmarks.md"), BenchmarksPage.of(stored, FOLDER));
            ResultsFolder.write(stored, docs.resolve(FOLDER));
            if (changed.isPresent()) {
                write(readme, changed.get());
            }
        } catch (IOException e) {
            System.err.println("bench: " + e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
        if (changed.isEmpty()) {
            System.out.println("bench: " + readme + " is left as it is: it does not exist, has no place for what is"
                    + " said about speed, or a system that it names was not measured.");
        }
        return CommandLine.ExitCode.OK;
    }

    /** One run without options: neither quick nor of other sizes, nor of some systems. */
    private static boolean isOfWholeRun(Results results) {
        return results.parts()
                        .keySet()
                        .containsAll(
                                Arrays.stream(Part.values()).map(Part::name).toList())
                && results.isOfOneRun()
                && results.command().equals(Bench.WHOLE_RUN);
    }

    private static void write(Path file, String text) throws IOException {
        ResultsFolder.replace(file, text);
        System.out.println("bench: wrote " + file);
    }
}
