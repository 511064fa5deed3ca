package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.config.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The steps in the README of the distribution lead to relays that may run and operators who may act. */
class DistributionPageTest extends JournalCommandsFixture {
    private static final Path DIST = Path.of("src", "dist");
    private static final Pattern SQL = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern INIT = Pattern.compile("(?m)^bin/waybill (init .*)$");

    @TempDir
    Path folder;

    @Test
    void the_roles_of_the_quick_start_may_do_what_it_says() throws SQLException, IOException {
        String page = Files.readString(DIST.resolve("README.md"));
        journal.execute(first(SQL, page));
        assertThat(cli.run(onThisServer(first(INIT, page)))).as(cli.err()).isZero();

        Path file = Files.writeString(
                folder.resolve("waybill.yaml"),
                Files.readString(DIST.resolve("conf").resolve("waybill.yaml"))
                        .replace("jdbc:postgresql://localhost:5432/orders", address())
                        .replace("${ORDERS_DB_PASSWORD}", "none"));
        assertThat(cli.run("doctor", "--config", file.toString(), "--json")).isNotNegative();
        assertThat(Stream.of(cli.out().split("\\},")))
                .anyMatch(finding -> finding.contains("this role may run relays"));
        try (Installation installation = Installation.read(file)) {
            assertThat(installation.admin("orders").relays()).isEmpty();
        }

        journal.relay("orders-to-kafka", place -> DEAD);
        assertThat(cli.run("pause", "orders-to-kafka", "--url", address(), "--user", "waybill_operator"))
                .as(cli.err())
                .isZero();
    }

    @Test
    void texts_of_the_distribution_name_nothing_that_is_not_packed() throws IOException {
        assertThat(Files.readString(DIST.resolve("README.md"))).doesNotContain("docs/");
        assertThat(Files.readString(DIST.resolve("conf").resolve("waybill.yaml")))
                .doesNotContain("docs/");
        for (String command : List.of("run", "completion", "init")) {
            assertThat(cli.run(command, "--help")).isZero();
            assertThat(cli.out()).doesNotContain("docs/", "./waybill");
        }
    }

    private static String first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        assertThat(found.find()).as(pattern.pattern()).isTrue();
        return found.group(1);
    }

    private String address() {
        return journal.url().split("\\?", 2)[0];
    }

    private String[] onThisServer(String command) {
        List<String> words = new ArrayList<>(List.of(command.strip().split(" +")));
        words.replaceAll(word -> word.startsWith("jdbc:") ? address() : word);
        return words.toArray(new String[0]);
    }
}
