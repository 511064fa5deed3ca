package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.ReadmeText;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about benchmarks and what the README says about speed are made from the stored results of one run. */
class BenchmarksPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/benchmarks.md");
    private static final Path RESULTS = ROOT.resolve("docs/benchmarks/results.json");

    private static final Path README = ROOT.resolve("README.md");
    private static final Pattern RATIO =
            Pattern.compile("(?<journal>[\\d,]+) events/s from the journal.*Debezium Engine: "
                    + "(?<debezium>[\\d,]+), so the journal is (?<ratio>[\\d.]+) times as fast");

    @Test
    void the_page_is_the_one_made_from_the_stored_results() throws IOException {
        assertThat(Files.exists(PAGE)).as("both or none").isEqualTo(Files.exists(RESULTS));
        if (Files.exists(PAGE)) {
            assertThat(Files.readString(PAGE))
                    .isEqualTo(BenchmarksPage.of(ResultsFolder.read(RESULTS), PageCommand.FOLDER));
        }
    }

    @Test
    void the_stored_results_are_of_one_run_and_so_are_their_charts_and_text(@TempDir Path folder) throws IOException {
        if (Files.exists(RESULTS)) {
            Results results = ResultsFolder.read(RESULTS);
            assertThat(results.parts()).as(results.parts().toString()).hasSize(Part.values().length);
            assertThat(results.isOfOneRun()).isTrue();
            ResultsFolder.write(results, folder);
            assertThat(contents(RESULTS.getParent())).isEqualTo(contents(folder));
        }
    }

    private static Map<String, String> contents(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.collect(Collectors.toMap(
                    file -> file.getFileName().toString(),
                    BenchmarksPageTest::read,
                    (one, other) -> other,
                    TreeMap::new));
        }
    }

    @Test
    void the_readme_says_what_the_stored_results_say() throws IOException {
        String readme = Files.readString(README);
        assertThat(ReadmeText.in(readme, ResultsFolder.read(RESULTS))).contains(readme);
    }

    @Test
    void a_ratio_in_the_readme_is_that_of_the_rates_beside_it() throws IOException {
        Matcher said = RATIO.matcher(Files.readString(README));
        assertThat(said.find()).isTrue();
        assertThat(said.group("ratio"))
                .isEqualTo(String.format(
                        Locale.ROOT, "%.1f", number(said.group("journal")) / number(said.group("debezium"))));
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
