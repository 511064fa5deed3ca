package dev.waybill.bench.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.waybill.bench.results.Figure.Goal;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Consumed;
import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Measured;
import dev.waybill.bench.results.Results.Missing;
import dev.waybill.bench.results.Results.Variation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class ResultsTest {
    private static final Latency LATENCY =
            new Latency("journal", 500, 15_000, Map.of(0.0, 0.4, 0.5, 1.25, 0.99, 6.5, 0.999, 20.0, 1.0, 31.0));
    static final Results RESULTS = new Results(
            "2026-11-17T10:00:00Z",
            Map.of("java", "JDK 17"),
            Map.of("drain", "one run", "growth", "one run"),
            new TreeMap<>(Map.of("drain", "./waybill bench", "growth", "./waybill bench --quick --parts growth")),
            Map.of("keys", "2,000"),
            List.of(new Measured("journal", "abc123", "defaults"), new Measured("Debezium Engine", "3.6", "pgoutput")),
            List.of(new Missing("drain", "gruelbox", "it did not start")),
            List.of(
                    drain("bare pipe", 1000, List.of(300.0), 2, 1),
                    drain("overlapped pipe", 1000, List.of(390.0, 410.0, 400.0), 3, 1),
                    new Drain("journal", 1000, List.of(370.0, 360.0, 380.0), 3.5, 1.1, 12, 0, null, 300, null),
                    drain("table", 300, List.of(150.0), 5, 9),
                    drain("table, rows deleted", 300, List.of(180.0), 5, 3),
                    drain("Debezium Engine", 100, List.of(37.0), 30, 2)),
            List.of(LATENCY),
            List.of(
                    new Append("no event", List.of(2000.0)),
                    new Append("smallest insert", List.of(1600.0)),
                    new Append("journal", List.of(1500.0, 1520.0, 1540.0))),
            List.of(
                    new Variation("growth", "backlog", "10,000", drain("journal", 10_000, List.of(360.0), 1, 1)),
                    new Variation(
                            "growth", "backlog", "10,000,000", drain("journal", 10_000_000, List.of(400.0), 1, 1)),
                    new Variation("distance", "link", "direct", drain("journal", 10, List.of(400.0), 1, 1)),
                    new Variation("growth", "retained", "0", drain("journal", 10, List.of(400.0), 1, 1)),
                    new Variation("growth", "retained", "10,000,000", drain("journal", 10, List.of(380.0), 1, 1)),
                    new Variation(
                            "distance",
                            "link",
                            "database 5 ms away",
                            new Drain("journal", 10, List.of(300.0), 1, 1, 0, 0, 0.001, 300, 25))),
            List.of(new DistantLatency("broker 5 ms away", LATENCY)),
            List.of(new Consumed("one by one, inbox", 2_500, 1)));

    private static final Results ALONE = new Results(
            RESULTS.date(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            List.of(),
            List.of(),
            List.of(drain("journal", 1, List.of(1.0), 1, 1)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of());

    private static Drain drain(String system, long events, List<Double> rates, double relayCpu, double databaseCpu) {
        return new Drain(system, events, rates, relayCpu, databaseCpu, 0, 0, null, 300, null);
    }

    @Test
    void results_are_the_same_after_they_are_stored_and_read(@TempDir Path folder) throws Exception {
        ResultsFolder.write(RESULTS, folder);

        assertThat(ResultsFolder.read(folder.resolve("results.json"))).isEqualTo(RESULTS);
        assertThat(folder).isDirectoryContaining("glob:**drain.svg");
        assertThat(folder).isDirectoryContaining("glob:**latency.svg");
        assertThat(folder).isDirectoryContaining("glob:**growth.svg");
        assertThat(folder).isDirectoryContaining("glob:**distance.svg");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "{}", "[]", "{\"date\": \"2026"})
    void a_file_without_results_is_refused_by_name(String text, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("results.json"), text);
        assertThatThrownBy(() -> ResultsFolder.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("results.json has no results of this version of the bench");
    }

    @Test
    void ratios_are_those_of_the_rounds_or_of_the_medians() {
        assertThat(Ratios.of(RESULTS))
                .extractingFromEntries(
                        each -> each.getKey() + " " + each.getValue().text())
                .contains(
                        "ratio-to-pipe 1.23",
                        "ratio-to-debezium 10.00",
                        "table-ratio-to-pipe 0.50",
                        "table-deleting-ratio-to-pipe 0.60",
                        "cpu-ratio 1.15",
                        "append-ratio 0.95",
                        "latency-p50-ms 1.3",
                        "latency-p99-ms 6.5",
                        "backlog-flatness 0.90");
    }

    @Test
    void the_goals_are_those_that_were_set() {
        assertThat(Ratios.of(RESULTS).entrySet().stream()
                        .filter(each -> each.getValue().goal() != null)
                        .map(each -> each.getKey() + " "
                                + Objects.requireNonNull(each.getValue().goal()).words()))
                .containsExactlyInAnyOrder(
                        "ratio-to-overlapped-pipe at least 0.95",
                        "ratio-to-debezium at least 6",
                        "table-ratio-to-pipe at least 0.45",
                        "table-deleting-ratio-to-pipe at least 0.45",
                        "cpu-ratio at most 1.15",
                        "append-ratio at least 0.95",
                        "latency-p50-ms at most 2",
                        "latency-p99-ms at most 10",
                        "backlog-flatness at least 0.90",
                        "retained-ratio at least 0.90");
    }

    @Test
    void a_figure_that_misses_its_goal_is_not_rounded_to_it() {
        Goal goal = Goal.atLeast("0.90");
        assertThat(new Figure(0.8974, 2, goal))
                .extracting(Figure::text, Figure::reached)
                .containsExactly("0.897", "no");
        assertThat(new Figure(0.89997, 2, goal))
                .extracting(Figure::text, Figure::reached)
                .containsExactly("0.89997", "no");
        assertThat(new Figure(0.9, 2, goal))
                .extracting(Figure::text, Figure::reached)
                .containsExactly("0.90", "yes");
        assertThat(new Figure(2.04, 1, Goal.atMost("2")))
                .extracting(Figure::text, Figure::reached)
                .containsExactly("2.04", "no");
        assertThat(new Figure(0.8974, 2, null))
                .extracting(Figure::text, Figure::reached)
                .containsExactly("0.90", "");
    }

    @Test
    void a_ratio_of_rounds_in_turns_is_the_median_of_the_ratios_of_each_round() {
        assertThat(Median.ofRatios(List.of(10.0, 20.0, 90.0), List.of(10.0, 40.0, 100.0)))
                .isEqualTo(0.9);
        assertThat(Median.ofRatios(List.of(10.0, 20.0, 90.0), List.of(40.0))).isEqualTo(0.5);
    }

    @Test
    void a_ratio_to_what_was_not_measured_is_not_there() {
        assertThat(Ratios.of(ALONE)).isEmpty();
    }

    @Test
    void the_text_has_each_ratio_on_a_line_of_its_own_and_what_was_not_measured() {
        assertThat(ResultsText.of(RESULTS).lines())
                .contains("ratio-to-debezium: 10.00", "not measured: drain: gruelbox: it did not start");
    }

    @Test
    void bars_are_as_long_as_their_values() throws Exception {
        NodeList bars = parsed(Charts.of(RESULTS).get("drain")).getElementsByTagName("rect");

        // The first rectangle is the background.
        double pipe = width((Element) bars.item(1));
        double overlapped = width((Element) bars.item(2));
        assertThat(pipe / overlapped).isCloseTo(300.0 / 400.0, offset(0.01));
    }

    @Test
    void every_chart_is_well_formed_and_names_its_systems() throws Exception {
        for (Map.Entry<String, String> chart : Charts.of(RESULTS).entrySet()) {
            assertThat(parsed(chart.getValue()).getElementsByTagName("svg").getLength())
                    .as(chart.getKey())
                    .isEqualTo(1);
            assertThat(chart.getValue()).as(chart.getKey()).contains("journal");
        }
    }

    @Test
    void a_chart_of_a_quick_run_says_so_and_one_of_a_whole_run_does_not() {
        Map<String, String> charts = Charts.of(RESULTS);
        assertThat(charts.get("growth")).contains("a quick run");
        assertThat(charts.get("drain")).doesNotContain("a quick run");
    }

    @Test
    void a_chart_that_has_no_values_any_more_is_deleted_and_other_files_stay(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("mine.svg"), "");
        for (String name : Charts.NAMES) {
            Files.writeString(folder.resolve(name + ".svg"), "earlier");
        }
        ResultsFolder.write(RESULTS, folder);

        assertThat(Charts.NAMES).containsAll(Charts.of(RESULTS).keySet());
        assertThat(folder.resolve("latency-half.svg")).doesNotExist();
        assertThat(folder.resolve("latency.svg")).content().contains("journal");
        assertThat(folder.resolve("mine.svg")).exists();
    }

    @Test
    void a_file_that_cannot_be_written_is_named(@TempDir Path folder) throws Exception {
        Path file =
                Files.createDirectories(folder.resolve("results.txt/within")).getParent();
        assertThatThrownBy(() -> ResultsFolder.write(RESULTS, folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + " could not be written: ");
    }

    @Test
    void names_cannot_break_a_chart() throws Exception {
        String chart = BarChart.draw(
                new Svg.Heading("a < b & c", "1 < 2"),
                List.of("x"),
                List.of(new BarChart.Bar("<b>", List.of(1.0), "&")));

        assertThat(parsed(chart).getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("a < b & c");
    }

    @Test
    void the_page_has_the_run_the_figures_and_the_reason_why_one_is_missing() {
        assertThat(BenchmarksPage.of(RESULTS, "benchmarks"))
                .contains(
                        "`./waybill bench; ./waybill bench --quick --parts growth`, 2026-11-17T10:00:00Z",
                        "| `ratio-to-overlapped-pipe` | 0.949 | at least 0.95 | no |",
                        "| `table-deleting-ratio-to-pipe` | 0.60 | at least 0.45 | yes |",
                        "| journal | 1,000 | 370 | 360 – 380 | 3.5 | 1.1 | 12 | 0.00 | 300 |",
                        "| link | database 5 ms away | journal | 10 | 300 | 0.0010 |",
                        "| backlog | 10,000 | journal | 10,000 | 360 | 300 |  |",
                        "| one by one, inbox | 2,500 | 1.000 |",
                        "| journal | broker 5 ms away | 500 | 1.3 | 6.5 | 20.0 | 31.0 |",
                        "![Events a second of each system](benchmarks/drain.svg)",
                        "- drain, gruelbox: it did not start");
    }

    @Test
    void the_page_explains_missed_goals_only_if_there_are_some() {
        assertThat(BenchmarksPage.of(RESULTS, "benchmarks")).contains("why goals are not reached");
        assertThat(BenchmarksPage.of(ALONE, "benchmarks")).doesNotContain("why goals are not reached");
    }

    private static double width(Element bar) {
        return Double.parseDouble(bar.getAttribute("width"));
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void rates_and_latencies_that_are_none_are_refused() {
        assertThatThrownBy(() -> new Append("journal", List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Append("journal", List.of(Double.NaN)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Latency("journal", 500, 1, Map.of(0.5, 1.0)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
