package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Figures about speed are on one page, which is made from the stored results of one run; other pages may only repeat them. */
class BenchmarksPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/benchmarks.md");
    private static final Path RESULTS = ROOT.resolve("docs/benchmarks/results.json");

    /** A rate, or a percentile of a time. */
    private static final Pattern FIGURE = Pattern.compile(
            "([\\d][\\d,.]*) ?(?:k/s|/s\\b|(?:events|messages|transactions)(?:/s| a second| per second))"
                    + "|p(?:50|99|99\\.9) (?:of |is )?([\\d.]+) ?ms");

    @Test
    void the_page_is_the_one_made_from_the_stored_results() throws IOException {
        assertThat(Files.exists(PAGE)).as("both or none").isEqualTo(Files.exists(RESULTS));
        if (Files.exists(PAGE)) {
            assertThat(Files.readString(PAGE))
                    .isEqualTo(BenchmarksPage.of(ResultsFolder.read(RESULTS), PageCommand.FOLDER));
        }
    }

    @Test
    void every_figure_about_speed_is_on_the_page() throws IOException {
        String measured = Files.exists(PAGE) ? Files.readString(PAGE) : "";
        assertThat(pages().stream()
                        .flatMap(page -> figures(read(page)).stream()
                                .filter(figure -> !measured.contains(figure))
                                .map(figure -> ROOT.relativize(page) + ": " + figure)))
                .isEmpty();
    }

    @Test
    void the_search_for_figures_finds_them() {
        assertThat(figures("drains 318,000 events a second")).containsExactly("318,000");
        assertThat(figures("38 k/s, p99 of 12.5 ms")).containsExactly("12.5", "38");
        assertThat(figures("at most 100 headers and 10 s")).isEmpty();
    }

    private static Set<String> figures(String text) {
        Set<String> figures = new TreeSet<>();
        FIGURE.matcher(text)
                .results()
                .forEach((MatchResult match) -> figures.add(match.group(1) == null ? match.group(2) : match.group(1)));
        return figures;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            docs.filter(page ->
                                    !page.equals(PAGE) && page.toString().endsWith(".md")))
                    .toList();
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
