package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.Gathered.PartRun;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.ResultsFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Which results the page of the documentation is made from, and what that changes. */
class PageCommandTest {
    private static final Drain DRAIN = new Drain("journal", 1, List.of(1.0), 1, 1, 1, 1, null, 1, null);

    @TempDir
    Path folder;

    private Path results;
    private Path docs;

    @BeforeEach
    void folders() throws IOException {
        results = folder.resolve("results");
        docs = Files.createDirectories(folder.resolve("docs"));
    }

    private static void measure(Gathered gathered, String date, String command, Part... parts) {
        for (Part part : parts) {
            Gathered measured = new Gathered(date);
            measured.drains.addAll(part == Part.drain ? List.of(DRAIN) : List.of());
            gathered.replace(part, new PartRun(date, "abc123", command, Map.of()), measured);
        }
    }

    private int page(Gathered gathered) throws IOException {
        ResultsFolder.write(gathered.results(), results);
        return Bench.commandLine().execute("page", results.toString(), "--docs", docs.toString());
    }

    @Test
    void the_page_is_made_from_one_whole_run_and_charts_of_earlier_results_are_deleted() throws IOException {
        Path chart = Files.createDirectories(docs.resolve("benchmarks")).resolve("growth.svg");
        Files.writeString(chart, "earlier");
        Gathered gathered = new Gathered("");
        measure(gathered, "2026-11-17T10:00:00Z", "./waybill bench", Part.values());

        assertThat(page(gathered)).isZero();
        assertThat(docs.resolve("benchmarks.md")).content().contains("2026-11-17T10:00:00Z");
        assertThat(docs.resolve("benchmarks/drain.svg")).exists();
        assertThat(chart).doesNotExist();
    }

    @Test
    void results_of_some_parts_of_several_runs_or_with_options_are_refused_and_nothing_is_written() throws IOException {
        Gathered some = new Gathered("");
        measure(some, "2026-11-17T10:00:00Z", "./waybill bench", Part.drain, Part.append);
        assertRefused(some);

        Gathered several = new Gathered("");
        measure(several, "2026-11-17T10:00:00Z", "./waybill bench", Part.values());
        measure(several, "2026-11-17T11:00:00Z", "./waybill bench", Part.growth);
        assertRefused(several);

        for (String option : List.of("--quick", "--events 1000", "--systems 'journal'")) {
            Gathered other = new Gathered("");
            measure(other, "2026-11-17T10:00:00Z", "./waybill bench " + option, Part.values());
            assertRefused(other);
        }
    }

    private void assertRefused(Gathered gathered) throws IOException {
        assertThat(page(gathered)).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(docs).isEmptyDirectory();
    }

    @Test
    void a_part_that_was_first_measured_quickly_does_not_keep_the_page_from_a_later_whole_run() throws IOException {
        Gathered gathered = new Gathered("");
        measure(gathered, "2026-11-17T10:00:00Z", "./waybill bench --quick --parts drain", Part.drain);
        measure(gathered, "2026-11-17T11:00:00Z", "./waybill bench", Part.values());
        assertThat(page(gathered)).isZero();
    }
}
