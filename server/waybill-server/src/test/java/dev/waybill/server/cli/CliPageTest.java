package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on commands is as the commands are. With {@code -Dwaybill.docs.write=true} it is written anew. */
class CliPageTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs").resolve("cli.md");

    @Test
    void the_page_on_commands_matches_the_commands() throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(PAGE, CliPage.text());
        }
        assertThat(Files.readString(PAGE))
                .as("docs/cli.md is stale: mvn test -pl waybill-server -am -Dtest=CliPageTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dwaybill.docs.write=true")
                .isEqualTo(CliPage.text());
    }

    @Test
    void the_page_has_every_command_and_every_exit_code() {
        assertThat(CliPage.text())
                .contains("## waybill status", "### waybill replay cancel", "### waybill dead-letters send-back")
                .contains(Arrays.stream(ExitCode.values())
                        .map(code -> "| " + code.number() + " | " + code.meaning() + " |")
                        .toList())
                .doesNotContain("${", "null");
    }

    @Test
    void the_launcher_names_every_command() throws IOException {
        String launcher = Files.readString(ROOT.resolve("waybill"));
        assertThat(WaybillCommand.commandLine().getSubcommands().keySet())
                .allMatch(name -> Pattern.compile("(?m)^  " + name + " ")
                        .matcher(launcher)
                        .find());
    }

    @Test
    void every_exit_code_is_different() {
        assertThat(ExitCode.values()).extracting(ExitCode::number).doesNotHaveDuplicates();
    }
}
