package dev.waybill.testkit.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuideTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("PATH", "/usr/bin:/bin", "WORD", "hello");

    @TempDir
    private Path folder;

    @Test
    void files_are_written_and_commands_run_in_one_terminal() {
        assertThatCode(() -> follow("""
                ```yaml
                # a/b.yaml
                key: 1
                ```
                ```sh
                other="$WORD world"
                cd a
                ```
                ```sh
                cat b.yaml
                echo "$other:   17"
                false    # exit code 1
                ```
                ```text
                key: 1
                hello world: …
                ```
                """)).doesNotThrowAnyException();
    }

    @Test
    void a_line_that_is_not_printed_fails_the_guide_with_its_place() {
        assertThatThrownBy(() -> follow("""
                # Title

                ```sh
                echo one; echo two
                ```
                ```text
                two
                one
                ```
                """))
                .hasMessageContaining("page.md, line 3: the output lacks the line \"one\"");
    }

    @Test
    void a_command_that_fails_in_the_middle_of_a_block_fails_the_guide() {
        assertThatThrownBy(() -> follow("""
                ```sh
                false
                echo one
                ```
                """)).hasMessageContaining("failed with the codes [1] instead of []");
        assertThatThrownBy(() -> follow("""
                ```sh
                true    # exit code 5
                ```
                """)).hasMessageContaining("failed with the codes [] instead of [5]");
    }

    @Test
    void commands_are_repeated_until_they_print_what_is_expected() {
        assertThatCode(() -> follow("""
                ```sh
                echo x >>count
                wc -l <count    # repeat until it is 3
                ```
                ```text
                3
                ```
                """)).doesNotThrowAnyException();
    }

    @Test
    void what_was_started_has_ended_afterwards_even_if_the_guide_fails() throws Exception {
        assertThatThrownBy(() -> follow("""
                ```sh
                sleep 1000 &
                echo $! >pid
                false
                ```
                """)).isInstanceOf(AssertionError.class);

        long pid = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        Await.until(
                "process " + pid + " ended",
                () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void a_block_that_nobody_would_check_is_refused() {
        assertThatThrownBy(() -> Guide.of("page.md", "```java\nint x;\n```\n"))
                .hasMessage("page.md, line 1: neither sh, nor text, nor a file: its first line is no comment with a"
                        + " file name.");
        assertThatThrownBy(() -> Guide.of("page.md", "```text\nx\n```\n"))
                .hasMessage("page.md, line 1: output without commands before it.");
        assertThatThrownBy(() -> Guide.of("page.md", "text\n")).hasMessage("page.md has nothing to follow.");
        assertThat(Guide.of("page.md", "```xml\n<!-- pom.xml -->\n<x/>\n```\n").file("pom.xml"))
                .endsWith("<x/>\n");
    }

    private void follow(String markdown) throws Exception {
        Guide.of("page.md", markdown).follow(folder, ENVIRONMENT);
    }
}
