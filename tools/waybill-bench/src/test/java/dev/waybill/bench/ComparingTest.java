package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.bench.Gathered.PartRun;
import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.Missing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a run refuses, and when it has failed; nothing is measured. */
class ComparingTest {
    private static final String DATE = "2026-11-17T10:00:00Z";
    private static final PartRun RUN = new PartRun(DATE, "abc123", "./waybill bench", Map.of());

    private static Comparing comparing(String... systems) {
        return new Comparing(Scale.QUICK, Path.of("results"), "256m").only(List.of(systems));
    }

    private static Gathered appends(String... systems) {
        Gathered measured = new Gathered(DATE);
        for (String system : systems) {
            measured.appends.add(new Append(system, List.of(1.0)));
        }
        return measured;
    }

    private static Gathered without(Gathered measured, String system, String reason) {
        measured.missing(List.of(new Missing("append", system, reason)));
        return measured;
    }

    private static boolean succeeds(Comparing comparing, Gathered earlier, Gathered measured) {
        comparing.keep(Part.append, RUN, measured, earlier);
        return comparing.hasSucceeded();
    }

    @Test
    void only_some_systems_of_a_part_are_refused_and_all_that_it_has_are_not() throws Exception {
        Gathered earlier = appends("journal", "table");
        assertThatThrownBy(() -> comparing("journal").requireAll(Part.append, earlier))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has results of the part append of table, which would not be measured again");
        comparing("journal").requireAll(Part.drain, earlier);
        comparing("table", "journal").requireAll(Part.append, earlier);
        comparing().requireAll(Part.append, earlier);
    }

    @Test
    void a_system_that_was_named_and_is_not_built_makes_the_run_fail_and_one_that_was_not_named_does_not() {
        Gathered measured = without(appends("journal"), "gruelbox", Lineup.NOT_BUILT);
        assertThat(succeeds(comparing("journal", "gruelbox"), appends(), measured))
                .isFalse();
        assertThat(succeeds(comparing("journal"), appends(), measured)).isTrue();
        assertThat(succeeds(comparing(), appends(), measured)).isTrue();
    }

    @Test
    void a_run_has_failed_if_a_system_failed_or_earlier_results_stay() {
        Gathered failed = without(appends("journal"), "table", "no space");
        assertThat(succeeds(comparing(), appends(), failed)).isFalse();
        assertThat(succeeds(comparing(), appends("table"), appends("journal"))).isFalse();
        assertThat(succeeds(comparing(), appends("table"), appends("journal", "table")))
                .isTrue();
    }
}
