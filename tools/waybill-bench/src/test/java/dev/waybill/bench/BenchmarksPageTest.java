package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.BenchmarksPage;
import dev.waybill.bench.results.ReadmeText;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Consumed;
import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures about speed are on one page, which is made from the stored results of one run; other pages may only repeat them. */
class BenchmarksPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/benchmarks.md");
    private static final Path RESULTS = ROOT.resolve("docs/benchmarks/results.json");

    private static final Set<String> BUILT = Set.of("target", "node_modules", ".git");

    private static final Path README = ROOT.resolve("README.md");

    private static final String NUMBER = "(\\d[\\d,]*(?:\\.\\d+)?)";
    private static final String NUMBER_OR_WORD =
            "(\\d[\\d,]*(?:\\.\\d+)?|two|three|four|five|six|seven|eight|nine|ten|twenty|a\\s+hundred)";

    /** A rate, a percentile of a time, or a share of what a system is compared with. */
    private static final Pattern FIGURE = Pattern.compile(NUMBER
            + "\\s*(?:k/s|/s\\b|(?:million\\s+)?(?:events|messages|transactions|records|rows|of\\s+them)"
            + "(?:/s|\\s+(?:a|per|each|every)\\s+second))"
            + "|\\b(?:p(?:50|99|99\\.9)|median)\\b[^.|\\d]{0,20}?(\\d+(?:\\.\\d+)?)\\s*[mµ]s"
            + "|" + NUMBER_OR_WORD
            + "\\s*(?:×|x|times)\\s+(?:as\\s+(?:fast|quick|many\\s+events)|the\\s+rate|faster|quicker|Debezium)");

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
        assertThat(FIGURE.matcher(ReadmeText.without(readme)).results().map(MatchResult::group))
                .as("elsewhere")
                .isEmpty();
    }

    @Test
    void every_figure_about_speed_was_measured() throws IOException {
        FiguresOf measured = Files.exists(RESULTS)
                ? FiguresOf.results(ResultsFolder.read(RESULTS))
                : new FiguresOf(Set.of(), Set.of(), Set.of());
        assertThat(pages().stream()
                        .flatMap(page ->
                                unknown(read(page), measured).map(figure -> ROOT.relativize(page) + ": " + figure)))
                .isEmpty();
    }

    @Test
    void a_figure_of_another_kind_or_a_goal_was_not_measured() {
        FiguresOf measured = new FiguresOf(Set.of("318,000", "500"), Set.of("1.2"), Set.of("4.55"));
        assertThat(unknown("drains 318,000 events a second, p50 1.2 ms, 4.55 times as many events as others", measured))
                .isEmpty();
        assertThat(unknown("p50 of 4.55 ms, 1.2 times as fast, and 318 events/s", measured))
                .containsExactlyInAnyOrder("4.55", "1.2", "318");
    }

    private static Stream<String> unknown(String text, FiguresOf measured) {
        return IntStream.rangeClosed(1, 3)
                .boxed()
                .flatMap(kind -> FIGURE.matcher(text)
                        .results()
                        .map(match -> match.group(kind))
                        .filter(Objects::nonNull)
                        .filter(figure -> !measured.ofKind(kind).contains(figure)));
    }

    /**
     * What may be said, by the groups of {@link #FIGURE}.
     *
     * @param rates measured, and those at which events were appended
     */
    private record FiguresOf(Set<String> rates, Set<String> percentiles, Set<String> ratios) {
        static FiguresOf results(Results results) {
            Stream<Double> measured = Stream.of(
                            results.drains().stream().map(Drain::rate),
                            results.variations().stream()
                                    .map(each -> each.drain().rate()),
                            results.appends().stream().map(Append::rate),
                            results.inbox().stream().map(Consumed::rate),
                            latencies(results).map(latency -> (double) latency.rate()))
                    .flatMap(rates -> rates);
            return new FiguresOf(
                    measured.map(rate -> String.format(Locale.ROOT, "%,.0f", rate))
                            .collect(Collectors.toSet()),
                    latencies(results)
                            .flatMap(latency -> Stream.of(0.5, 0.99, 0.999).map(latency::at))
                            .map(millis -> String.format(Locale.ROOT, "%.1f", millis))
                            .collect(Collectors.toSet()),
                    BenchmarksPage.ratios(results));
        }

        private static Stream<Latency> latencies(Results results) {
            return Stream.concat(
                    results.latencies().stream(),
                    results.distantLatencies().stream().map(DistantLatency::latency));
        }

        Set<String> ofKind(int group) {
            return List.of(rates, percentiles, ratios).get(group - 1);
        }
    }

    @Test
    void the_search_for_figures_finds_them() {
        assertThat(figures("drains 318,000 events a second")).containsExactly("318,000");
        assertThat(figures("38 k/s, p99 of 12.5 ms")).containsExactly("12.5", "38");
        assertThat(figures("9.5 times as fast as Debezium Engine")).containsExactly("9.5");
        assertThat(figures("4.84 times\nas many events as")).containsExactly("4.84");
        assertThat(figures("500,000 events each second, 20 million events every second, 7 of them a second"))
                .containsExactly("20", "500,000", "7");
        assertThat(figures("p50 under 0.2 ms, p99: 300 µs, a median of 0.3 ms")).containsExactly("0.2", "0.3", "300");
        assertThat(figures("ten times faster than Debezium, 10x faster, 11 times as quick"))
                .containsExactly("10", "11", "ten");
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

    /** All texts of the project, also the change log and those beside examples. */
    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                12,
                (file, attributes) -> attributes.isRegularFile()
                        && file.toString().endsWith(".md")
                        && !file.equals(PAGE)
                        && StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                                .map(Path::toString)
                                .noneMatch(BUILT::contains))) {
            return files.toList();
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
