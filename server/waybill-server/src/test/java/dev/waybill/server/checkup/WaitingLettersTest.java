package dev.waybill.server.checkup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.Finding;
import dev.waybill.server.terminal.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The names of consumers come from letters: anybody who may write to the topic chooses how many there are, and how long. */
class WaitingLettersTest {
    private static final DeadLetterCount MANY = many(10_000);

    private static DeadLetterCount many(int consumers) {
        Map<String, Long> byConsumer = new TreeMap<>();
        for (int i = 0; i < consumers; i++) {
            byConsumer.put(String.format(Locale.ROOT, "c%05d", i), i == consumers - 1 ? 7L : 1L);
        }
        return new DeadLetterCount("orders.dlt", consumers + 6L, true, byConsumer);
    }

    private static WaitingLetters letters(DeadLetterCount count) {
        WaitingLetters letters = new WaitingLetters();
        letters.add("kafka", List.of(count));
        return letters;
    }

    @Test
    void at_most_100_consumers_of_a_topic_are_listed_with_the_number_of_the_others() {
        assertThat(letters(MANY).table().on(Terminal.NONE).lines())
                .hasSize(1 + 100 + 1)
                .anyMatch(line -> line.matches(".* c09999 +7"))
                .last()
                .asString()
                .matches(".* and 9,900 more +9,900");
        List<Map<String, Object>> json = letters(MANY).json();
        assertThat(json).hasSize(101);
        assertThat(json.get(100))
                .containsEntry("moreConsumers", 9_900)
                .containsEntry("letters", 9_900L)
                .doesNotContainKey("consumer");
        assertThat(json.stream().mapToLong(one -> (long) one.get("letters")).sum())
                .isEqualTo(MANY.letters());
    }

    @Test
    void a_hundred_consumers_are_all_listed() {
        assertThat(letters(many(100)).json()).hasSize(100).noneMatch(one -> one.containsKey("moreConsumers"));
    }

    @Test
    void the_doctor_names_at_most_100_consumers() {
        Finding finding = WaitingLetters.waiting("kafka", MANY);

        assertThat(finding.what())
                .contains("10,006 letters wait")
                .contains("7 of c09999")
                .endsWith("and 9,900 of 9,900 more consumers)");
        assertThat(finding.what().split(" of c")).hasSize(1 + 100);
    }

    @Test
    void a_long_name_is_cut() {
        DeadLetterCount count =
                DeadLetterCount.of("orders.dlt", List.of("x".repeat(900_000), "x".repeat(900_001)), true);

        assertThat(letters(count).json())
                .singleElement()
                .satisfies(one -> assertThat(one)
                        .containsEntry("consumer", "x".repeat(255) + "…")
                        .containsEntry("letters", 2L));
    }

    /** Whoever may create queues chooses their names. */
    @Test
    void a_remedy_has_the_name_of_a_topic_as_one_word_of_a_shell() {
        assertThat(remedy("orders.dlt")).startsWith("waybill dead-letters list orders.dlt --destination kafka shows");
        assertThat(remedy("x; rm -rf $HOME.dlt"))
                .startsWith("waybill dead-letters list 'x; rm -rf $HOME.dlt' --destination kafka shows");
        assertThat(remedy("--yes.dlt")).startsWith("waybill dead-letters list --destination kafka -- --yes.dlt shows");
        assertThat(remedy("x\nrm.dlt")).startsWith("waybill dead-letters list TOPIC --destination kafka shows");
    }

    private static String remedy(String topic) {
        return WaitingLetters.waiting("kafka", new DeadLetterCount(topic, 1, true, Map.of()))
                .remedy();
    }
}
