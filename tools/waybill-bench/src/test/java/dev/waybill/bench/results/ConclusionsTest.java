package dev.waybill.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.bench.results.Results.Append;
import dev.waybill.bench.results.Results.DistantLatency;
import dev.waybill.bench.results.Results.Drain;
import dev.waybill.bench.results.Results.Latency;
import dev.waybill.bench.results.Results.Variation;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConclusionsTest {
    private static final Drain DEBEZIUM = drain(Results.DEBEZIUM, 10, 30, 20);

    @Test
    void the_drains_in_which_the_journal_is_behind_the_pipe_are_listed() {
        assertThat(filled(
                        "{behind the overlapped pipe}",
                        results(
                                List.of(),
                                List.of(
                                        variation("backlog", "10", drain(Results.OVERLAPPED, 100)),
                                        variation("backlog", "10", drain(Results.JOURNAL, 90)),
                                        variation("backlog", "20", drain(Results.OVERLAPPED, 100)),
                                        variation("backlog", "20", drain(Results.JOURNAL, 100)),
                                        variation("relays", "1", drain(Results.JOURNAL, 50))),
                                List.of())))
                .isEqualTo(
                        "In the tables of the other parts, the journal is behind the overlapped pipe in 1 of 2 drains;"
                                + " its rate divided by that of the pipe: backlog 10 (0.90).");
    }

    @Test
    void a_journal_that_is_never_behind_is_said_to_be_so() {
        assertThat(filled(
                        "{behind the overlapped pipe}",
                        results(
                                List.of(),
                                List.of(
                                        variation("backlog", "10", drain(Results.OVERLAPPED, 100)),
                                        variation("backlog", "10", drain(Results.JOURNAL, 110))),
                                List.of())))
                .endsWith("in 0 of 1 drains.");
    }

    @Test
    void the_multiples_of_Debezium_say_who_reaches_the_goal_and_where() {
        assertThat(filled(
                        "{multiples of Debezium}",
                        results(
                                List.of(drain(Results.JOURNAL, 50), drain(Results.OVERLAPPED, 60), DEBEZIUM),
                                List.of(
                                        variation("link", "far", drain(Results.JOURNAL, 70)),
                                        variation("link", "far", drain(Results.OVERLAPPED, 80)),
                                        variation("link", "far", drain(Results.DEBEZIUM, 10)),
                                        variation("keys", "1", drain(Results.JOURNAL, 70))),
                                List.of())))
                .isEqualTo(
                        "The goal is 6 times its rate. The journal reaches that in 1 of 2 drains, and the overlapped pipe,"
                                + " which keeps no account of anything, in 1. Their multiples of Debezium's rate: 2.50 and 3.00 (first table); 7.00 and 8.00"
                                + " (link far).");
    }

    @Test
    void the_goal_of_appends_is_out_of_reach_only_if_it_is_missed() {
        assertThat(filled("{goal of append}", appends(80)))
                .isEqualTo(
                        "The goal for `append-ratio`, at least 0.95, is out of reach for a table that has this trigger and that index.");
        assertThat(filled("{goal of append}", appends(95))).isEmpty();
    }

    private static Results appends(double journal) {
        return results(
                List.of(),
                List.of(
                        new Append(Results.SMALLEST_INSERT, List.of(100.0)),
                        new Append(Results.JOURNAL, List.of(journal))),
                List.of(),
                List.of());
    }

    @Test
    void the_rates_of_Debezium_are_in_the_order_of_its_rounds() {
        assertThat(filled("{rounds of Debezium}", results(List.of(DEBEZIUM), List.of(), List.of())))
                .endsWith(": 10; 30; 20 events/s.");
    }

    @Test
    void the_journal_is_compared_with_the_pipe_round_by_round() {
        assertThat(filled(
                        "{rounds of the journal}",
                        results(
                                List.of(drain(Results.JOURNAL, 90, 110), drain(Results.OVERLAPPED, 100, 100)),
                                List.of(),
                                List.of())))
                .endsWith(": 0.900; 1.100.");
    }

    @Test
    void systems_with_a_lower_latency_than_the_journal_are_named_for_each_link() {
        assertThat(filled(
                        "{latency with a distant server}",
                        results(
                                List.of(),
                                List.of(),
                                List.of(
                                        latency("database far", Results.JOURNAL, 29.34),
                                        latency("database far", Results.DEBEZIUM, 8.1),
                                        latency("database far", "namastack", 30),
                                        latency("broker far", Results.JOURNAL, 7),
                                        latency("broker far", Results.DEBEZIUM, 8)))))
                .isEqualTo("Database far: the journal's p50 is 29.3 ms, lower are those of Debezium Engine (8.1)."
                        + " Broker far: the journal's p50 is 7.0 ms, and no system has a lower one.");
    }

    @Test
    void without_results_the_text_has_no_sentence_and_no_empty_line() {
        Results nothing = results(List.of(), List.of(), List.of());
        assertThat(Conclusions.of(nothing).fill("- one\n  {rounds of Debezium}\n  {multiples of Debezium}\n- two\n"))
                .isEqualTo("- one\n- two\n");
        assertThat(Conclusions.of(nothing).fill(PageText.HOW)).doesNotContain("{");
    }

    private static String filled(String name, Results results) {
        String filled = Conclusions.of(results).fill("  " + name + "\n");
        assertThat(filled.lines()).allMatch(line -> line.startsWith("  ") && line.length() <= 130);
        return filled.strip().replace("\n  ", " ");
    }

    private static Results results(
            List<Drain> drains, List<Variation> variations, List<DistantLatency> distantLatencies) {
        return results(drains, List.of(), variations, distantLatencies);
    }

    private static Results results(
            List<Drain> drains,
            List<Append> appends,
            List<Variation> variations,
            List<DistantLatency> distantLatencies) {
        return new Results(
                "",
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                drains,
                List.of(),
                appends,
                variations,
                distantLatencies,
                List.of());
    }

    private static Variation variation(String what, String value, Drain drain) {
        return new Variation("part", what, value, drain);
    }

    private static Drain drain(String system, double... rates) {
        return new Drain(system, 1, Arrays.stream(rates).boxed().toList(), 1, 1, 0, 0, null, 300, null);
    }

    private static DistantLatency latency(String link, String system, double median) {
        return new DistantLatency(
                link, new Latency(system, 100, 100, Map.of(0.5, median, 0.99, median, 0.999, median, 1.0, median)));
    }
}
