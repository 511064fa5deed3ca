package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinksTest {
    private final Repository repository = Repository.here();

    @Test
    void every_link_inside_the_project_leads_to_a_file_and_every_symbol_to_something_in_it() {
        List<String> problems = repository.pages().stream()
                .flatMap(page -> page.links().stream()
                        .filter(Links::staysHere)
                        .flatMap(link -> Links.problem(page, link).stream()))
                .toList();

        assertThat(problems).isEmpty();
    }

    @Test
    void the_life_of_an_event_leads_along_both_paths() {
        List<String> links = repository.page("docs/life-of-an-event.md").links();

        assertThat(links)
                .anyMatch(link -> link.endsWith("JdbcOutbox.java#append"))
                .anyMatch(link -> link.endsWith("RelayCycle.java#runOnce"));
    }

    @Test
    void every_page_is_linked_from_another() {
        Stream<String> linked = repository.pages().stream()
                .flatMap(page -> page.links().stream()
                        .filter(Links::staysHere)
                        .map(link -> page.file().resolveSibling(link.split("#", 2)[0]))
                        .map(file ->
                                repository.root().relativize(file.normalize()).toString()));

        assertThat(linked)
                .containsAll(repository.pages().stream()
                        .map(Page::name)
                        .filter(name -> !name.equals("README.md"))
                        .toList());
    }

    @Test
    void links_that_lead_nowhere_are_found(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("Thing.java"), """
                /** Speaks of ghost(). */
                class Thing {
                    static final int COUNT = 1;
                    int weight(String of) {
                        return other(of);
                    }
                }
                """);
        Page page = new Page("page.md", directory.resolve("page.md"), "# One thing\n[x](Thing.java)\n");
        Files.writeString(page.file(), page.text());

        assertThat(Stream.of("Thing.java", "Thing.java#Thing", "Thing.java#COUNT", "Thing.java#weight", "#one-thing")
                        .map(link -> Links.problem(page, link)))
                .containsOnly(Optional.empty());
        assertThat(Stream.of("Missing.java", "Thing.java#ghost", "Thing.java#other", "Thing.java#of", "#another")
                        .map(link -> Links.problem(page, link)))
                .allMatch(Optional::isPresent);
    }
}
