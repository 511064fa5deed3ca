package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.ReadmeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures about speed are on one page and in one paragraph of the README, both made from the stored results; all other texts link to them. */
class SpeedFiguresTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/benchmarks.md");
    private static final Path README = ROOT.resolve("README.md");

    private static final Set<String> BUILT = Set.of("target", "node_modules", ".git");

    /** What looks like a result of the benchmark and is none: by file, in its words. */
    private static final Map<String, List<String>> OTHERS = Map.of(
            "docs/requirements.md",
            List.of("6,000 events a minute with the settings of the document"),
            "docs/adr/0011-pubsub-lanes-on-the-clients-stub.md",
            List.of("this was more than twice as fast with 2,000 keys"),
            "docs/adr/0027-a-list-of-known-secrets.md",
            List.of("it was 10 to 40 times slower with a key of some KB"),
            "docs/adr/0033-outages-may-count.md",
            List.of("would be two events a second"),
            "docs/adr/0038-one-span-per-batch.md",
            List.of("hundreds of thousands per second, which say nothing that the batch does not"),
            "docs/adr/0042-a-console-without-a-build.md",
            List.of("about four times the processor time of the query"),
            "docs/adr/0051-limits-of-an-event-in-one-trigger.md",
            List.of(
                    "An insert of one row took 64 µs of CPU time in the server with the constraints",
                    "The insert takes 27 µs with it",
                    "Setting it takes several µs, for each event",
                    "Inserting many rows with one statement takes about 2 µs longer per row"));

    @Test
    void no_other_text_has_a_figure_about_speed() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        for (Entry<String, String> text : texts().entrySet()) {
            String rest = text.getValue();
            for (String other : OTHERS.getOrDefault(text.getKey(), List.of())) {
                rest = rest.replace(other, "");
            }
            List<String> figures = SpeedFigures.in(rest);
            if (!figures.isEmpty()) {
                found.put(text.getKey(), figures);
            }
        }
        assertThat(found).as("link to docs/benchmarks.md instead").isEmpty();
    }

    @Test
    void every_exception_is_still_needed() throws IOException {
        Map<String, String> texts = texts();
        OTHERS.forEach((file, others) -> assertThat(others)
                .as(file)
                .allSatisfy(other -> assertThat(texts.get(file)).contains(other))
                .allSatisfy(other -> assertThat(SpeedFigures.in(other)).isNotEmpty()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "half a million events per second",
                "a dozen times as fast as Debezium",
                "900k events/s",
                "900,000 msg/s",
                "The 99th percentile of the latency is 0.1 ms",
                "and the median 0.05 milliseconds",
                "An event reaches a consumer within 0.2 ms of its commit.",
                "70 % less CPU than Debezium",
                "is 12-fold as fast",
                "1,200 % of its throughput",
                "90,000,000 events a minute",
                "in 3 seconds ten million events",
                "ratio-to-debezium: 12.5",
                "append-ratio: 0.99",
                "latency-p50-ms: 0.1",
                "| `backlog-flatness` | 0.75 |",
                "0.2 CPU seconds per million events",
                "0.99 of the smallest insert",
                "Debezium drains 2,148 events/s",
                "the journal 1,388,246 events/s",
                "p99 0.6 ms",
                "5.33 times as fast as the raw producer",
                "drains 318,000 events a second",
                "drains 318,000\nevents a second",
                "38 k/s",
                "7 of them a second",
                "20 million events every second",
                "ten million events in 3 seconds",
                "p99: 300 µs",
                "a median of 3 ms",
                "4 ms on average",
                "0.3 ms after the signal",
                "**4.84** times\nas many events as",
                "ten times faster than Debezium",
                "10x faster",
                "11 times as quick",
                "half the rate of Debezium",
                "a third faster than the pipe",
                "ahead of Debezium by a factor of six",
                "takes 6.4 µs of CPU time",
                "An event takes less than a millisecond.",
                "a sub-millisecond latency",
                "a throughput of 400,000",
                "events per second: 400,000",
                "469 events per ms",
                "2.1 s for a million events",
                "five times more events than Debezium",
                "two orders of magnitude ahead of namastack",
                "| system | events/s |",
                "| system | p50 ms |",
            })
    void a_figure_about_speed_is_found(String text) {
        assertThat(SpeedFigures.in(text)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "polls every 50 ms",
                "every 10,000 events or 250 ms",
                "at most 100 events per second",
                "at most 100,000 events a second",
                "at most 100 headers and 10 s",
                "first after 200 ms, then twice as long each time, up to 5 s",
                "a few times a second",
                "waits half a second",
                "at most once a second",
                "batches of 500 events",
                "It is faster. 50 % of the disk are free.",
            })
    void a_setting_is_no_figure_about_speed(String text) {
        assertThat(SpeedFigures.in(text)).isEmpty();
    }

    /** All texts of the project without the figures that are made from results, also the change log and those beside examples. */
    private static Map<String, String> texts() throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files =
                Files.find(ROOT, 12, (file, attributes) -> attributes.isRegularFile() && isText(file))) {
            for (Path file : files.toList()) {
                String text = Files.readString(file);
                texts.put(
                        ROOT.relativize(file).toString(),
                        SpeedFigures.plain(file.equals(README) ? ReadmeText.without(text) : text));
            }
        }
        return texts;
    }

    private static boolean isText(Path file) {
        return file.toString().endsWith(".md")
                && !file.equals(PAGE)
                && StreamSupport.stream(ROOT.relativize(file).spliterator(), false)
                        .map(Path::toString)
                        .noneMatch(BUILT::contains);
    }
}
