package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the commands shown in the pages. */
class CommandsTest {
    private static final Pattern LAUNCHER_COMMAND = Pattern.compile("\\./waybill ([a-z][a-z-]*)");
    private static final Pattern SCRIPT = Pattern.compile("(?<![\\w.])\\./([\\w-]+)");

    private final Repository repository = Repository.here();

    @Test
    void every_command_is_one_the_launcher_offers() {
        String launcher = Repository.read(repository.root().resolve("waybill"));

        assertThat(found(LAUNCHER_COMMAND))
                .contains("demo")
                .allSatisfy(command -> assertThat(launcher).containsPattern("(?m)^  " + command + " "));
    }

    @Test
    void every_script_is_there_and_can_be_run() {
        assertThat(found(SCRIPT))
                .contains("waybill", "check")
                .allSatisfy(script ->
                        assertThat(repository.root().resolve(script)).matches(Files::isExecutable, "is executable"));
    }

    private List<String> found(Pattern pattern) {
        return repository.pages().stream()
                .flatMap(page -> pattern.matcher(page.text()).results())
                .flatMap(match -> Stream.of(match.group(1)))
                .distinct()
                .toList();
    }
}
