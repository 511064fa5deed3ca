package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(");

    private final Page readme = Repository.here().page("README.md");

    @Test
    void it_has_fewer_than_160_lines() {
        assertThat(readme.text().lines()).hasSizeLessThan(160);
    }

    @Test
    void all_of_its_java_is_the_quick_start_that_a_test_follows() {
        assertThat(readme.blocks("java"))
                .singleElement()
                .satisfies(block -> assertThat(block)
                        .contains("@AppendedAs(", "@AggregateId", "@Transactional", "outbox.append(", "@HandlesOnce("));
        assertThat(readme.blocks("sql")).isEmpty();
    }

    @Test
    void its_comparison_is_the_one_whose_page_names_the_sources() {
        String page = Repository.here().page("docs/comparison.md").section("Comparison");

        assertThat(Page.rows(readme.section("How it compares").replaceAll("\\[([^\\]]+)\\]\\([^)]+\\)", "$1")))
                .hasSizeGreaterThan(4)
                .isEqualTo(Page.rows(page));
    }

    @Test
    void a_group_of_its_map_has_at_most_six_links() {
        List<String> groups = readme.section("Documentation")
                .lines()
                .filter(line -> line.startsWith("- **"))
                .toList();

        assertThat(groups)
                .hasSize(5)
                .allSatisfy(group -> assertThat(LINK.matcher(group).results()).hasSizeLessThanOrEqualTo(6));
    }
}
