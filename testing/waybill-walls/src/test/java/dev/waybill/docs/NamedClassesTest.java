package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that the tests and classes named in the pages exist. */
class NamedClassesTest {
    private final Repository repository = Repository.here();

    @Test
    void every_test_that_a_page_names_exists() {
        List<String> problems = repository.pages().stream()
                .flatMap(page -> page.codes().stream()
                        .filter(NamedTests::isOne)
                        .flatMap(code -> NamedTests.problem(repository, code).stream())
                        .map(problem -> page.name() + ": " + problem))
                .toList();

        assertThat(problems).isEmpty();
    }

    @Test
    void every_promise_has_tests_on_the_page_of_evidence() {
        List<List<String>> evidence =
                Page.rows(repository.page("docs/evidence.md").text());

        assertThat(evidence)
                .allSatisfy(row -> assertThat(Page.codes(row.get(1)))
                        .as(row.get(0))
                        .isNotEmpty()
                        .allMatch(NamedTests::isOne));
        assertThat(evidence.stream().map(row -> row.get(0)))
                .hasSizeGreaterThan(50)
                .containsExactlyElementsOf(promises());
    }

    /** The tables of two columns; those of three say what is not promised. */
    private List<String> promises() {
        return Page.rows(repository.page("docs/guarantees.md").text()).stream()
                .filter(row -> row.size() == 2)
                .map(row -> row.get(0))
                .toList();
    }

    @Test
    void every_decision_says_where_it_lives_and_what_was_rejected() {
        List<Page> decisions = repository.pages().stream()
                .filter(page -> page.file().getParent().endsWith("adr"))
                .filter(page -> !page.file().endsWith("README.md"))
                .toList();

        assertThat(repository.page("docs/adr/README.md").links())
                .containsExactlyInAnyOrderElementsOf(decisions.stream()
                        .map(page -> page.file().getFileName().toString())
                        .toList());
        assertThat(decisions).hasSizeGreaterThan(5).allSatisfy(page -> {
            assertThat(page.section("Context")).isNotBlank();
            assertThat(page.section("Decision")).isNotBlank();
            assertThat(page.section("Rejected")).isNotBlank();
            assertThat(Page.codes(page.section("Load-bearing in")))
                    .isNotEmpty()
                    .allSatisfy(name ->
                            assertThat(repository.sourcesOf(name)).as(name).isNotEmpty());
        });
    }

    @Test
    void a_test_that_is_not_there_is_found() {
        String here = "NamedClassesTest";

        assertThat(NamedTests.problem(repository, here)).isEmpty();
        assertThat(NamedTests.problem(repository, here + "#a_test_that_is_not_there_is_found"))
                .isEmpty();
        assertThat(NamedTests.problem(repository, here + "#another")).isPresent();
        assertThat(NamedTests.problem(repository, "MissingTest")).isPresent();
        assertThat(NamedTests.problem(repository, "Repository")).isPresent();
    }
}
