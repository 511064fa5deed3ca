package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Figures about speed are on one page, which is made from the stored results of one run; other pages may only repeat them. */
class BenchmarksPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/benchmarks.md");
    private static final Path RESULTS = ROOT.resolve("docs/benchmarks/results.json");

    /** A rate, a percentile of a time, or a share of what a system is compared with. */
    private static final Pattern FIGURE = Pattern.compile(
            "(\\d[\\d,]*(?:\\.\\d+)?)\\s*(?:k/s|/s\\b|(?:events|messages|transactions)(?:/s|\\s+a\\s+second|\\s+per\\s+second))"
                    + "|p(?:50|99|99\\.9)\\s+(?:of\\s+|is\\s+)?(\\d+(?:\\.\\d+)?)\\s*ms"
                    + "|(\\d+(?:\\.\\d+)?)\\s+(?:×|times)\\s+(?:as\\s+fast|the\\s+rate|faster|Debezium|as\\s+many\\s+events)");

    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*(?:\\.\\d+)?(?<!,)");

    @Test
    void the_page_is_the_one_made_from_the_stored_results() throws IOException {
        assertThat(Files.exists(PAGE)).as("both or none").isEqualTo(Files.exists(RESULTS));
        if (Files.exists(PAGE)) {
            assertThat(Files.readString(PAGE))
                    .isEqualTo(BenchmarksPage.of(ResultsFolder.read(RESULTS), PageCommand.FOLDER));
        }
    }

    @Test
    void every_figure_about_speed_is_in_a_table_of_the_page() throws IOException {
        Set<String> measured = Files.exists(PAGE) ? numbers(tables(Files.readString(PAGE))) : Set.of();
        assertThat(pages().stream()
                        .flatMap(page -> figures(read(page)).stream()
                                .filter(figure -> !measured.contains(figure))
                                .map(figure -> ROOT.relativize(page) + ": " + figure)))
                .isEmpty();
    }

    @Test
    void a_part_of_a_number_is_not_a_figure_of_the_page() {
        assertThat(numbers("| journal | 318,000 | 1.25 |, p99 6.5 ms."))
                .containsExactlyInAnyOrder("318,000", "1.25", "99", "6.5")
                .doesNotContain("318");
    }

    @Test
    void the_search_for_figures_finds_them() {
        assertThat(figures("drains 318,000 events a second")).containsExactly("318,000");
        assertThat(figures("38 k/s, p99 of 12.5 ms")).containsExactly("12.5", "38");
        assertThat(figures("9.5 times as fast as Debezium Engine")).containsExactly("9.5");
        assertThat(figures("4.84 times\nas many events as")).containsExactly("4.84");
        assertThat(figures("at most 100 headers and 10 s")).isEmpty();
    }

    private static Set<String> figures(String text) {
        Set<String> figures = new TreeSet<>();
        FIGURE.matcher(text)
                .results()
                .flatMap(match -> IntStream.rangeClosed(1, match.groupCount()).mapToObj(match::group))
                .filter(Objects::nonNull)
                .forEach(figures::add);
        return figures;
    }

    private static String tables(String page) {
        return page.lines().filter(line -> line.startsWith("|")).collect(Collectors.joining("\n"));
    }

    /** All whole numbers of a text. */
    private static Set<String> numbers(String text) {
        Set<String> numbers = new TreeSet<>();
        NUMBER.matcher(text).results().forEach((MatchResult match) -> numbers.add(match.group()));
        return numbers;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
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
