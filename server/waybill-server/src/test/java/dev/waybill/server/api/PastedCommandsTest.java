package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.testkit.SharedPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands that are offered to be pasted, in a shell: applications choose the ids and types of events. */
class PastedCommandsTest extends JournalApiFixture {
    private static final TableLayout LAYOUT = TableLayout.notifications();

    private ServedApi tables;

    @BeforeEach
    void serveTheTable() throws Exception {
        try (Connection connection = journal.connect()) {
            TableSchema.create(connection, LAYOUT);
        }
        tables = ServedApi.start(directory, "", """
                stores:
                  notes: { type: table, layout: notifications, url: "%s", user: postgres }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  notes: { store: notes, destination: rabbit }
                """.formatted(journal.url().replaceFirst("[?].*", "")));
    }

    @AfterEach
    void closeTheTable() {
        tables.close();
    }

    private void dead(String id, String type) throws Exception {
        try (Connection connection = journal.connect();
                PreparedStatement insert = connection.prepareStatement(
                        "insert into \"EventOutbox\" (event_id, event_type, aggregate_id, aggregate_type, payload, status,"
                                + " created_at) values (?, ?, 1, 'Order', '{}', 'PENDING', now())")) {
            insert.setString(1, id);
            insert.setString(2, type);
            insert.executeUpdate();
        }
        try (RelaySession session = TableStore.on(SharedPostgres.server().dataSource(journal.database()), LAYOUT)
                .open(new RelayName("notes"), new OwnerId("x"), Duration.ofMinutes(1))
                .orElseThrow()) {
            Batch batch = session.claim(new Limits(100, 1_000_000)).orElseThrow();
            session.settle(
                    batch,
                    batch.events().stream()
                            .<Settlement>map(event -> new Settlement.Dead("no", false, false))
                            .toList());
        }
    }

    private JsonNode offer(String action, String selection) throws Exception {
        return tables.change(
                "/api/actions/preview",
                O,
                "{\"action\":\"" + action + "\",\"store\":\"notes\",\"relay\":\"notes\"," + selection + "}");
    }

    private static String ids(String... ids) {
        return "\"ids\":" + JsonMapper.shared().writeValueAsString(ids);
    }

    /** What the command line gets, word by word. */
    private List<String> pasted(JsonNode offer) throws Exception {
        Path words = directory.resolve("words");
        Process shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        "waybill() { printf '%s\\0' \"$@\" > words; }\n"
                                + offer.get("command").asString())
                .directory(directory.toFile())
                .start();
        assertThat(shell.waitFor()).isZero();
        return Arrays.asList(Files.readString(words, StandardCharsets.UTF_8).split("\0"));
    }

    @Test
    void an_id_is_one_word_of_the_command_whatever_it_contains() throws Exception {
        for (String id : List.of(
                "1; touch made; $(touch made)", "`touch made`", "it's", "*", "# none", "~", "a b", "\\", "!!")) {
            dead(id, "t");
            assertThat(pasted(offer("requeue", ids(id)))).as(id).containsExactly("requeue", "--relay", "notes", id);
        }
        assertThat(directory.resolve("made")).doesNotExist();
    }

    @Test
    void an_id_that_looks_like_an_option_is_none() throws Exception {
        dead("--yes", "t");
        dead("plain", "t");
        assertThat(pasted(offer("requeue", ids("plain", "--yes"))))
                .containsExactlyInAnyOrder("requeue", "--relay", "notes", "--", "plain", "--yes")
                .containsSubsequence("--", "--yes");
    }

    @Test
    void no_command_is_offered_for_an_id_or_a_type_with_control_characters() throws Exception {
        for (String control : List.of("\n", "\u0003", "\u001b[201~", "\u007f", "\u009b", "\u2028", "\u202e")) {
            dead("a" + control, "type" + control);
            assertThat(offer("requeue", ids("a" + control)).has("command")).isFalse();
            assertThat(offer(
                                    "requeue",
                                    "\"match\":"
                                            + JsonMapper.shared()
                                                    .writeValueAsString(
                                                            Map.of("state", "dead", "type", "type" + control)))
                            .has("command"))
                    .isFalse();
        }
    }

    @Test
    void a_command_that_discards_has_the_reason_that_it_needs() throws Exception {
        dead("1", "it's --yes");
        assertThat(pasted(offer("discard", ids("1"))))
                .containsExactly("discard", "--relay", "notes", "--reason", "TEXT", "1");
        assertThat(pasted(offer("discard", "\"match\":{\"state\":\"dead\",\"type\":\"it's --yes\"}")))
                .containsExactly(
                        "discard", "--relay", "notes", "--reason", "TEXT", "--state", "dead", "--type=it's --yes");
    }
}
