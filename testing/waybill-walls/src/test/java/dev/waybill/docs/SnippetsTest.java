package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnippetsTest {
    private final Repository repository = Repository.here();
    private final Map<String, String> regions = Snippets.regions(repository.examples());

    @Test
    void every_java_block_is_a_region_of_a_test_that_runs() {
        assertThat(javaBlocks())
                .isNotEmpty()
                .allSatisfy(block -> assertThat(regions.values()).contains(block));
    }

    @Test
    void every_region_is_shown() {
        assertThat(javaBlocks()).containsAll(regions.values());
    }

    @Test
    void a_region_is_taken_without_its_indentation() {
        assertThat(Snippets.regions("""
                class X {
                    void x() {
                        // snippet: one
                        if (a) {
                            b();

                        }
                        // end
                        c();
                    }
                }
                """)).isEqualTo(Map.of("one", "if (a) {\n    b();\n\n}\n"));
    }

    private List<String> javaBlocks() {
        return repository.pages().stream()
                .filter(page -> !page.isFollowed())
                .flatMap(page -> page.blocks("java").stream())
                .toList();
    }
}
