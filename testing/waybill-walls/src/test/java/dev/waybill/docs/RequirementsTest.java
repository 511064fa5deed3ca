package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequirementsTest {
    private static final String NOT_YET = "not yet";
    /** Rules that concern all documents. */
    private static final List<String> FOR_ALL_DOCUMENTS = List.of("outages", "presets");
    /** Number of rules in each part. */
    private static final Map<String, Integer> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("P", 17);
        PARTS.put("M", 10);
        PARTS.put("G", 16);
        PARTS.put("O", 7);
        PARTS.put("N", 10);
        PARTS.put("B", 11);
    }

    private final Repository repository = Repository.here();
    private final List<List<String>> rows =
            Page.rows(repository.page("docs/requirements.md").text());

    @Test
    void every_rule_has_its_row() {
        List<String> ids = new ArrayList<>();
        PARTS.forEach((part, count) -> IntStream.rangeClosed(1, count).forEach(number -> ids.add(part + number)));
        ids.addAll(ids.indexOf("B1"), FOR_ALL_DOCUMENTS);

        assertThat(rows).extracting(row -> row.get(0)).isEqualTo(ids);
    }

    @Test
    void every_row_is_complete_and_proved_partly_or_not_yet() {
        assertThat(rows).allSatisfy(row -> {
            assertThat(row).hasSize(4).allSatisfy(cell -> assertThat(cell).isNotBlank());
            assertThat(row.get(2)).isIn(Proofs.PROVED, Proofs.PROVED_FULL, Proofs.PARTLY, NOT_YET);
            assertThat(row.get(3).contains("missing: "))
                    .as("%s says what is missing", row.get(0))
                    .isEqualTo(row.get(2).equals(Proofs.PARTLY));
        });
    }

    @Test
    void what_is_proved_or_partly_proved_names_tests_and_nothing_else_does() {
        assertThat(rows).allSatisfy(row -> {
            List<String> named = Page.codes(row.get(3));
            if (!row.get(2).equals(NOT_YET)) {
                assertThat(named.stream().filter(NamedTests::isOne))
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
