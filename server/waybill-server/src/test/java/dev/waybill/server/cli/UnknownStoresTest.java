package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.SharedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What commands say while nobody can read the stores: that nothing is known, and never that there is nothing. */
class UnknownStoresTest {
    private static final String AWAY = """
            stores:
              journal: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
              tables: { type: table, layout: waybill, url: "jdbc:mariadb://127.0.0.1:1/away", user: x }
              documents:
                type: mongodb
                uri: "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200"
                database: away
                collection: outbox
              %s
            destinations:
              rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms, dead-letters: [orders.dlt] }
            relays:
              one: { store: journal, destination: rabbit }
              two: { store: tables, destination: rabbit }
              three: { store: documents, destination: rabbit }
              %s
            """;

    private final Cli cli = new Cli();

    @TempDir
    private Path directory;

    private String file;

    @BeforeEach
    void write() throws Exception {
        file = write("", "");
    }

    private String write(String store, String relay) throws Exception {
        return Files.writeString(directory.resolve("waybill.yaml"), AWAY.formatted(store, relay))
                .toString();
    }

    @Test
    void status_says_unknown_of_every_relay_with_the_reason() {
        assertThat(cli.run("status", "--config", file, "--dead-letters")).isEqualTo(1);
        assertThat(cli.out().lines().filter(line -> line.contains("unknown")))
                .hasSize(4)
                .anyMatch(line -> line.matches("journal +one +unknown .*"))
                .anyMatch(line -> line.matches("rabbit +- +- +unknown *"));
        assertThat(cli.out()).doesNotContain("No relay", "never ran");
        assertThat(cli.err())
                .contains("the store tables cannot be read since 20", "so the state of its relays is unknown: ")
                .contains("dead letters of the destination rabbit cannot be counted, so their number is unknown: ");
    }

    @Test
    void status_in_json_says_unknown_since_when_and_why() {
        assertThat(cli.run("status", "--config", file, "--json")).isEqualTo(1);
        List<JsonNode> relays =
                StreamSupport.stream(cli.json().spliterator(), false).toList();
        assertThat(relays)
                .extracting(relay -> relay.path("relay").asString())
                .containsExactlyInAnyOrder("one", "two", "three");
        assertThat(relays).allSatisfy(relay -> {
            assertThat(relay.path("state").asString()).isEqualTo("unknown");
            assertThat(relay.path("error").asString()).isNotBlank();
            assertThat(relay.path("unknownSince").asString()).startsWith("20");
            assertThat(relay.has("backlog")).isFalse();
        });
    }

    @Test
    void a_store_without_a_configuration_is_unknown_too() {
        String[] one = {"status", "--url", "jdbc:postgresql://127.0.0.1:1/away", "--user", "x"};
        assertThat(cli.run(one)).isEqualTo(1);
        assertThat(cli.out()).contains("unknown").doesNotContain("No relay");
        assertThat(cli.run("status", "--json", "--url", "jdbc:postgresql://127.0.0.1:1/away", "--user", "x"))
                .isEqualTo(1);
        assertThat(cli.json().get(0).path("store").asString()).isEqualTo("away");
        assertThat(cli.json().get(0).path("state").asString()).isEqualTo("unknown");
        assertThat(cli.json().get(0).has("relay")).isFalse();
    }

    @Test
    void a_store_that_answers_is_shown_beside_those_that_do_not() throws Exception {
        JournalScene journal = JournalScene.create(SharedPostgres.server());
        journal.open("four").close();
        file = write(
                "here: { type: postgres-journal, url: \"" + journal.url().replaceFirst("[?].*", "")
                        + "\", user: postgres }",
                "four: { store: here, destination: rabbit }");
        assertThat(cli.run("status", "--config", file)).isEqualTo(1);
        assertThat(cli.out().lines())
                .anyMatch(line -> line.matches("here +four +not running .*"))
                .anyMatch(line -> line.matches("documents +three +unknown .*"));
        journal.execute("drop schema waybill cascade");
    }

    @Test
    void since_when_is_the_first_time_that_a_watching_command_could_not_read_it() {
        List<String> since = new ArrayList<>();
        cli.pausing(time -> {
            since.add(cli.err().lines().filter(line -> line.contains("journal")).reduce("", (a, b) -> b));
            return since.size() < 2;
        });
        assertThat(cli.run("status", "--config", file, "--store", "journal", "--watch"))
                .isEqualTo(1);
        assertThat(since).hasSize(2).containsOnly(since.get(0));
        assertThat(since.get(0)).contains("cannot be read since");
    }

    @Test
    void no_command_says_that_there_is_nothing() {
        for (String store : List.of("journal", "tables", "documents")) {
            fails("events", "--store", store);
            fails("audit", "--store", store);
            fails("audit", "--store", store, "--json");
            fails("show", "019a0000-0000-7000-8000-000000000000", "--store", store);
            fails("pause", "x", "--store", store, "--as", "anna");
        }
        fails("replay", "list", "--store", "journal");
        fails("replay", "list", "--store", "tables", "--json");
        fails("dead-letters", "count", "--destination", "rabbit");
        fails("dead-letters", "list", "orders.dlt", "--destination", "rabbit");
    }

    private void fails(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--config", file));
        assertThat(cli.run(all.toArray(String[]::new)))
                .as("%s: %s", all, cli.err())
                .isEqualTo(1);
        assertThat(cli.out()).as(all.toString()).isEmpty();
        assertThat(cli.err()).as(all.toString()).isNotBlank();
    }
}
