package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequirementsTest {
    private static final String PROVED = "proved";
    private static final String NOT_YET = "not yet";
    /** Number of rules in each part. */
    private static final Map<String, Integer> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("P", 15);
        PARTS.put("M", 9);
        PARTS.put("G", 13);
        PARTS.put("O", 6);
        PARTS.put("N", 7);
        PARTS.put("B", 7);
    }

    private final Repository repository = Repository.here();
    private final List<List<String>> rows =
            Page.rows(repository.page("docs/requirements.md").text());

    @Test
    void every_rule_has_its_row() {
        List<String> ids = PARTS.entrySet().stream()
                .flatMap(part -> IntStream.rangeClosed(1, part.getValue()).mapToObj(number -> part.getKey() + number))
                .toList();

        assertThat(rows).extracting(row -> row.get(0)).isEqualTo(ids);
    }

    @Test
    void every_row_is_complete_and_proved_or_not_yet() {
        assertThat(rows).allSatisfy(row -> {
            assertThat(row).hasSize(4).allSatisfy(cell -> assertThat(cell).isNotBlank());
            assertThat(row.get(2)).isIn(PROVED, NOT_YET);
        });
    }

    @Test
    void what_is_proved_names_tests_and_nothing_else_does() {
        assertThat(rows).allSatisfy(row -> {
            List<String> named = Page.codes(row.get(3));
            if (row.get(2).equals(PROVED)) {
                assertThat(named)
                        .as(row.get(0))
                        .isNotEmpty()
                        .allSatisfy(name ->
                                assertThat(NamedTests.problem(repository, name)).isEmpty());
            } else {
                assertThat(named).as(row.get(0)).noneMatch(NamedTests::isOne);
            }
        });
    }
}
