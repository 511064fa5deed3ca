package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.waybill.bench.Gathered.PartRun;
import dev.waybill.bench.results.Results;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Missing;
import dev.waybill.bench.results.Results.Variation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatheredTest {
    private static final String FIRST = "2026-11-17T10:00:00Z";
    private static final String SECOND = "2026-11-17T11:00:00Z";
    private static final Drain JOURNAL = drain("journal", 1);
    private static final Drain TABLE = drain("table", 2);

    private static Drain drain(String system, double rate) {
        return new Drain(system, 1, List.of(rate), 1, 1, 1, 1, null, 1, null);
    }

    private static PartRun run(String date, Part part) {
        return new PartRun(
                date, "abc123", "./waybill bench --parts " + part, Map.of("keys", "2,000", part.name(), "of " + date));
    }

    private static Gathered measured(Drain... drains) {
        Gathered measured = new Gathered(FIRST);
        measured.drains.addAll(List.of(drains));
        return measured;
    }

    private static Gathered varied(Drain... drains) {
        Gathered measured = new Gathered(FIRST);
        measured.vary(Part.growth, "keys", "1", List.of(drains));
        return measured;
    }

    private static Results results(Gathered gathered) {
        return gathered.results();
    }

    /** As of a folder with drains and growth of the journal and the table. */
    private static Gathered earlier() {
        Gathered gathered = new Gathered(FIRST);
        gathered.replace(Part.growth, run(FIRST, Part.growth), varied(JOURNAL, TABLE));
        Gathered drains = measured(JOURNAL, TABLE);
        drains.missing(List.of(new Missing("drain", "gruelbox", "why")));
        gathered.replace(Part.drain, run(FIRST, Part.drain), drains);
        return new Gathered(results(gathered));
    }

    @Test
    void a_part_that_is_measured_again_replaces_its_own_results_only() {
        Gathered gathered = earlier();
        Drain again = drain("journal", 3);
        assertThat(gathered.replace(Part.growth, run(SECOND, Part.growth), varied(again, TABLE)))
                .isEmpty();

        Results results = results(gathered);
        assertThat(results.variations("growth", "keys"))
                .extracting(Variation::drain)
                .containsExactly(again, TABLE);
        assertThat(results.drains()).containsExactly(JOURNAL, TABLE);
        assertThat(results.missing()).containsExactly(new Missing("drain", "gruelbox", "why"));
    }

    @Test
    void the_earlier_results_of_a_part_stay_if_a_system_of_them_was_not_measured_again() {
        Results before = results(earlier());
        Gathered gathered = earlier();
        assertThat(gathered.replace(Part.drain, run(SECOND, Part.drain), measured(drain("journal", 3))))
                .containsExactly("table");
        assertThat(results(gathered)).isEqualTo(before);
    }

    @Test
    void the_earlier_results_of_a_part_stay_if_a_system_of_them_or_the_part_has_failed() {
        Results before = results(earlier());
        Gathered gathered = earlier();
        for (String failed : List.of("table", Gathered.EVERYTHING)) {
            Gathered measured = varied(drain("journal", 3), drain("table", 3));
            measured.missing(List.of(new Missing("growth", failed, "no space")));
            assertThat(gathered.replace(Part.growth, run(SECOND, Part.growth), measured))
                    .contains("table");
        }
        assertThat(results(gathered)).isEqualTo(before);
    }

    @Test
    void a_part_in_which_another_system_failed_is_replaced_and_the_reason_is_kept() {
        Gathered gathered = earlier();
        Gathered measured = measured(drain("journal", 3), TABLE);
        Missing failed = new Missing("drain", "namastack", "why");
        measured.missing(List.of(failed));
        assertThat(gathered.replace(Part.drain, run(SECOND, Part.drain), measured))
                .isEmpty();
        assertThat(results(gathered).missing()).containsExactly(failed);
    }

    @Test
    void each_part_has_the_run_the_command_and_the_settings_with_which_it_was_measured() {
        assertThat(results(earlier()).isOfOneRun()).isTrue();
        Gathered gathered = earlier();
        gathered.replace(
                Part.growth,
                new PartRun(SECOND, "def456", "./waybill bench", Map.of("growth", "of " + SECOND)),
                varied(JOURNAL, TABLE));

        Results results = results(gathered);
        assertThat(results.parts())
                .isEqualTo(Map.of("drain", FIRST + ", version abc123", "growth", SECOND + ", version def456"));
        assertThat(results.commands())
                .isEqualTo(Map.of("drain", "./waybill bench --parts drain", "growth", "./waybill bench"));
        assertThat(results.settings())
                .containsExactly(
                        entry("drain", "of " + FIRST), entry("growth", "of " + SECOND), entry("keys", "2,000"));
        assertThat(results.date()).isEqualTo(SECOND);
        assertThat(results.isOfOneRun()).isFalse();
    }
}
