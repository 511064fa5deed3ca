package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.terminal.Terminal;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The night shift's commands on a real journal. */
class CommandsOnAJournalTest extends JournalCommandsFixture {
    @TempDir
    private Path directory;

    @Test
    void status_shows_owner_epoch_and_backlog_of_a_relay() throws SQLException {
        journal.append("a.v1", 2);
        try (RelaySession session = journal.open("to-kafka")) {
            assertThat(run("status")).isZero();
            assertThat(cli.out().lines().toList().get(0))
                    .containsPattern("^RELAY +STATE +RUN BY +EPOCH +BACKLOG +OLDEST +PARKED +DEAD +PER S$");
            assertThat(cli.out().lines().toList().get(1))
                    .containsPattern("^to-kafka +running +host 7 +" + session.epoch() + " +2 +");

            assertThat(run("status", "--json")).isZero();
            assertThat(cli.json().get(0).get("backlog").asInt()).isEqualTo(2);
            assertThat(cli.json().get(0).get("owner").asString()).isEqualTo("host 7");
        }
    }

    @Test
    void status_is_repeated_with_watch() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        AtomicInteger pauses = new AtomicInteger();
        cli.on(new Terminal(120, false, true)).pausing(time -> pauses.incrementAndGet() < 3);

        assertThat(run("status", "--watch", "--every", "1s")).isZero();
        assertThat(cli.out().split("\u001b\\[2J", -1)).hasSize(4);
    }

    @Test
    void status_shows_every_store_even_if_one_is_unavailable() throws Exception {
        journal.append("a.v1", 1);
        journal.relay("orders-to-kafka", place -> Settlement.PUBLISHED);
        Path file = configuration();

        assertThat(cli.run("status", "--config", file.toString())).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.out())
                .containsPattern("(?m)^STORE +RELAY ")
                .containsPattern("(?m)^orders +orders-to-kafka +not running ")
                .containsPattern("(?m)^orders +orders-again +never ran ");
        assertThat(cli.err())
                .contains("store away cannot be read since ", "refused")
                .doesNotContain("\tat ");
        assertThat(cli.run("status", "--config", file.toString(), "--store", "orders"))
                .isZero();
    }

    @Test
    void events_are_listed_newest_first_page_by_page_without_payloads() throws SQLException {
        List<String> ids = journal.append("a.v1", 5);
        journal.relay("to-kafka", place -> place == 1 ? DEAD : Settlement.PUBLISHED);

        List<String> seen = new ArrayList<>();
        String[] arguments = {"events", "--limit", "2", "--json"};
        for (boolean more = true; more; ) {
            assertThat(run(arguments)).isZero();
            JsonNode page = cli.json();
            page.get("events").forEach(event -> seen.add(event.get("id").asString()));
            more = page.has("next");
            arguments = new String[] {
                "events",
                "--limit",
                "2",
                "--json",
                "--after",
                more ? page.get("next").asString() : ""
            };
        }
        assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(seen.get(0)).isEqualTo(ids.get(4));

        assertThat(run("events", "--relay", "to-kafka", "--state", "dead")).isZero();
        assertThat(cli.out())
                .contains(ids.get(1), "dead", "topic a.v1 does not exist")
                .doesNotContain(ids.get(0));
        assertThat(cli.out()).doesNotContain("canary-77");
    }

    @Test
    void events_are_found_by_type_aggregate_key_and_time() throws SQLException {
        List<String> ids = journal.append("a.v1", 3);
        journal.append("b.v1", 3);

        assertThat(run("events", "--type", "a.v1", "--aggregate-id", "2")).isZero();
        assertThat(cli.out()).contains(ids.get(1)).doesNotContain("b.v1", ids.get(0));
        assertThat(run("events", "--key", "Order:3", "--type", "a.v1")).isZero();
        assertThat(cli.out()).contains(ids.get(2)).doesNotContain(ids.get(0));
        assertThat(run("events", "--until", "1h")).isZero();
        assertThat(cli.out()).isEmpty();
        assertThat(cli.err()).contains("0 events");
        assertThat(run("events", "--from", "yesterday")).isEqualTo(ExitCode.USAGE.number());
        assertThat(cli.err()).contains("2026-11-15T03:00:00Z");
    }

    @Test
    void show_prints_an_event_and_its_payload_only_on_request_which_is_audited() throws SQLException {
        List<String> ids = journal.append("a.v1", 2);
        journal.relay("to-kafka", place -> place == 0 ? DEAD : Settlement.PUBLISHED);

        assertThat(run("show", ids.get(0))).isZero();
        assertThat(cli.out())
                .contains(ids.get(0), "a.v1", "to-kafka", "dead", "topic a.v1 does not exist")
                .doesNotContain("canary-77");
        assertThat(run("audit")).isZero();
        assertThat(cli.out()).contains("Nobody has changed anything");

        assertThat(run("show", ids.get(0), "--payload", "--as", "ada")).isZero();
        assertThat(cli.out()).contains("canary-77");
        assertThat(run("audit")).isZero();
        assertThat(cli.out()).contains("ada", ids.get(0)).doesNotContain("canary-77");
    }

    @Test
    void secrets_in_errors_are_hidden_even_across_lines() throws SQLException {
        String secret = "correct horse battery staple";
        String id = journal.append("a.v1", 1).get(0);
        journal.relay(
                "to-kafka",
                place -> new Settlement.Dead(
                        "login failed for somebody with " + secret + " at the broker", true, false));
        for (int width = 40; width < 80; width++) {
            cli.knowing(secret).on(new Terminal(width, false, true));
            assertThat(run("show", id)).isZero();
            assertThat(cli.out()).contains("[hidden]").doesNotContain("horse", "battery");
        }
    }

    /** Here no output is scrubbed as a whole: what is hidden is hidden by the command itself. */
    @Test
    void secrets_are_hidden_before_output_is_cut_or_printed() throws SQLException {
        String secret = "Canary1234567890/\"x";
        String id = journal.append("a.v1", 1).get(0);
        journal.relay("to-kafka", place -> new Settlement.Dead("login with " + secret + " refused", true, false));
        cli.knowing(secret);
        for (int width = 60; width < 200; width += 5) {
            cli.on(new Terminal(width, false, true));
            assertThat(run("events", "--relay", "to-kafka", "--state", "dead"))
                    .as(cli.err())
                    .isZero();
            assertThat(cli.out()).contains(id).doesNotContain("Canary");
        }
        for (String[] command : new String[][] {
            {"show", id}, {"show", id, "--json"}, {"events", "--relay", "to-kafka", "--state", "dead", "--json"}
        }) {
            assertThat(run(command)).as(cli.err()).isZero();
            assertThat(cli.out()).contains("[hidden]").doesNotContain("Canary");
        }
        assertThat(run("show", secret)).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(cli.err()).contains("[hidden]").doesNotContain("Canary");
    }

    @Test
    void a_failure_shows_its_message_without_control_characters() {
        assertThat(run("pause", "\u001b[2J\u009b2J\u202e")).isNotZero();
        assertThat(cli.err()).startsWith("waybill: ").doesNotContain("\u001b", "\u009b", "\u202e");
    }

    @Test
    void a_missing_event_has_its_own_exit_code() {
        assertThat(run("show", "01890a5d-ac96-774b-bcce-b302099a8057")).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(cli.err()).contains("There is no event");
        assertThat(run("show", "no-uuid")).isEqualTo(ExitCode.NOT_FOUND.number());
    }

    @Test
    void requeue_shows_a_preview_and_does_nothing_without_confirmation() throws SQLException {
        List<String> ids = journal.append("a.v1", 3);
        journal.relay("to-kafka", place -> DEAD);

        assertThat(run("requeue", "--relay", "to-kafka", ids.get(0))).isEqualTo(ExitCode.DECLINED.number());
        assertThat(cli.err()).contains("would send 1 event again, 1 of them late", "there is no terminal", "--yes");
        cli.answering("n");
        assertThat(run("requeue", "--relay", "to-kafka", ids.get(0))).isEqualTo(ExitCode.DECLINED.number());
        assertThat(cli.err()).contains("Continue? [y/N]", "Nothing was changed");
        assertThat(dead()).isEqualTo(3);

        cli.answering("Yes");
        assertThat(run("requeue", "--relay", "to-kafka", ids.get(0), "--as", "ada", "--reason", "topic is there now"))
                .isZero();
        assertThat(cli.out()).contains("requeued 1");
        assertThat(dead()).isEqualTo(2);
        assertThat(run("audit", "--json")).isZero();
        JsonNode entry = cli.json().get(0);
        assertThat(entry.get("who").asString()).isEqualTo("ada");
        assertThat(entry.get("why").asString()).isEqualTo("topic is there now");
        assertThat(entry.get("action").asString()).isEqualTo("requeue");
        assertThat(entry.get("details").asString()).contains(ids.get(0));
    }

    @Test
    void requeue_and_discard_by_filter_change_matching_events_and_write_one_audit_row() throws SQLException {
        journal.append("a.v1", 4);
        journal.append("b.v1", 3);
        journal.relay(
                "to-kafka",
                place -> new Settlement.Dead(place < 4 ? "the first kind" : "the second kind", true, false));

        assertThat(run("requeue", "--relay", "to-kafka", "--state", "dead", "--error", "first kind", "--yes", "--json"))
                .isZero();
        assertThat(cli.json().get("requeued").asInt()).isEqualTo(4);
        assertThat(dead()).isEqualTo(3);
        assertThat(run("discard", "--relay", "to-kafka", "--state", "dead", "--type", "b.v1", "--yes"))
                .isEqualTo(ExitCode.USAGE.number());
        assertThat(cli.err()).contains("--reason");
        assertThat(run(
                        "discard",
                        "--relay",
                        "to-kafka",
                        "--state",
                        "dead",
                        "--type",
                        "b.v1",
                        "--yes",
                        "--reason",
                        "test data"))
                .isZero();
        assertThat(cli.out()).contains("discarded 3");
        assertThat(dead()).isZero();
        assertThat(run("audit", "--json")).isZero();
        assertThat(cli.json().size()).isEqualTo(2);
        assertThat(cli.json().get(0).get("details").asString()).contains("b.v1").contains("3");
    }

    @Test
    void an_incomplete_or_empty_selection_changes_nothing() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> DEAD);

        assertThat(run("requeue", "--relay", "to-kafka", "--yes")).isEqualTo(ExitCode.USAGE.number());
        assertThat(run("requeue", "--relay", "to-kafka", "--type", "a.v1", "--yes"))
                .isEqualTo(ExitCode.USAGE.number());
        assertThat(run("requeue", "--relay", "to-kafka", "--state", "dead", "--type", "other", "--yes"))
                .isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(dead()).isEqualTo(1);
    }

    @Test
    void a_command_without_a_store_is_refused() {
        assertThat(cli.run("status")).isEqualTo(ExitCode.USAGE.number());
        assertThat(cli.err()).contains("--config FILE", "--url");
        assertThat(cli.run("status", "--config", "nowhere.yaml")).isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void completion_knows_commands_and_options() {
        assertThat(cli.run("completion")).isZero();
        assertThat(cli.out()).contains("dead-letters", "--older-than", "complete ");
    }

    private Path configuration() throws Exception {
        return Files.writeString(directory.resolve("waybill.yaml"), """
                stores:
                  orders: { type: postgres-journal, url: "%s" }
                  away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/none?user=nobody" }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
                relays:
                  orders-to-kafka: { store: orders, destination: kafka }
                  orders-again: { store: orders, destination: kafka }
                """.formatted(journal.url()));
    }

    private long dead() {
        assertThat(run("status", "--json")).isZero();
        return cli.json().get(0).get("dead").asLong();
    }
}
