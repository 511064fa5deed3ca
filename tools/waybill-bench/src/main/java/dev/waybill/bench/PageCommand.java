package dev.waybill.bench;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.ReadmeText;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
        if (stored.command().contains("--quick")) {
            System.err.println("bench: the page says how a whole run measures; " + results + " is of a quick one.");
            return CommandLine.ExitCode.USAGE;
        }
        String page = BenchmarksPage.of(stored, FOLDER);
        ResultsFolder.write(stored, docs.resolve(FOLDER));
        Files.writeString(docs.resolve("benchmarks.md"), page);
        System.out.println("bench: wrote " + docs.resolve("benchmarks.md"));
        Path readme = docs.resolveSibling("README.md");
        Optional<String> changed =
                Files.exists(readme) ? ReadmeText.in(Files.readString(readme), stored) : Optional.empty();
        if (changed.isPresent()) {
            Files.writeString(readme, changed.get());
            System.out.println("bench: wrote " + readme);
        }
        return CommandLine.ExitCode.OK;
    }
}
