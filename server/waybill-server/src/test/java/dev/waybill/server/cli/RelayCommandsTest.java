package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.terminal.Terminal;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.Entry;
import dev.waybill.spi.ProcessRegister.Registration;
import dev.waybill.spi.ProcessRegister.RelayReport;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Commands about a relay or a store as a whole: pause, drop, adopt, purge, doctor. */
class RelayCommandsTest extends JournalCommandsFixture {
    @Test
    void a_relay_is_paused_resumed_and_dropped() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> DEAD);

        assertThat(run("pause", "to-kafka")).isZero();
        assertThat(run("status")).isZero();
        assertThat(cli.out()).contains("paused");
        assertThat(run("resume", "to-kafka")).isZero();
        assertThat(run("pause", "to-rabbit")).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(cli.err()).contains("There is no relay to-rabbit");

        assertThat(run("relay", "drop", "to-kafka", "--yes")).isEqualTo(ExitCode.USAGE.number());
        assertThat(run("relay", "drop", "to-kafka", "--reason", "moved")).isEqualTo(ExitCode.DECLINED.number());
        assertThat(cli.err()).contains("no process runs it", "1 dead");
        assertThat(run("relay", "drop", "to-kafka", "--reason", "moved", "--yes"))
                .isZero();
        assertThat(run("status")).isZero();
        assertThat(cli.out()).contains("No relay has read this store yet");
        assertThat(run("audit", "--json")).isZero();
        assertThat(cli.json().get(0).get("action").asString()).isEqualTo("drop");
    }

    @Test
    void status_says_why_a_relay_fails_in_another_process() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        OwnerId process = new OwnerId("pid 7/1");
        RelayName relay = new RelayName("to-kafka");
        try (Registration other = PostgresJournal.on(server.dataSource(journal.database()))
                .processes()
                .orElseThrow()
                .register()) {
            other.announce(new Entry(process, 1, 1, Set.of()), Duration.ofMinutes(1));
            other.report(List.of(new RelayReport(
                    process,
                    relay,
                    "backing off",
                    Optional.of(Duration.ofMinutes(2)),
                    Optional.of("Kafka is \u001b[31mnot there"))));

            assertThat(run("status")).isZero();
            assertThat(cli.out())
                    .containsPattern("Relay to-kafka has been failing for 12\\d s in pid 7/1: Kafka is .*not there")
                    .doesNotContain("\u001b");
            assertThat(run("status", "--json")).isZero();
            JsonNode reported = cli.json().get(0).get("processes").get(0);
            assertThat(reported.get("phase").asString()).isEqualTo("backing off");
            assertThat(reported.get("failingSeconds").asDouble()).isBetween(120.0, 180.0);
        }
        assertThat(run("status")).isZero();
        assertThat(cli.out()).doesNotContain("failing");
    }

    @Test
    void a_relay_that_fails_in_the_process_that_holds_it_is_not_shown_as_running() throws SQLException {
        OwnerId owner = new OwnerId("host 7");
        try (RelaySession held = journal.open("to-kafka");
                Registration process = PostgresJournal.on(server.dataSource(journal.database()))
                        .processes()
                        .orElseThrow()
                        .register()) {
            assertThat(held).as("it holds the lease").isNotNull();
            assertThat(run("status")).isZero();
            assertThat(cli.out()).containsPattern("to-kafka +running");

            process.announce(new Entry(owner, 1, 1, Set.of()), Duration.ofMinutes(1));
            process.report(List.of(new RelayReport(
                    owner,
                    new RelayName("to-kafka"),
                    "backing off",
                    Optional.of(Duration.ofSeconds(40)),
                    Optional.of("Kafka is not there"))));
            assertThat(run("status")).isZero();
            assertThat(cli.out()).containsPattern("to-kafka +failing").contains("has been failing for 4");
            assertThat(run("status", "--json")).isZero();
            assertThat(cli.json().get(0).get("state").asString()).isEqualTo("failing");
        }
    }

    @Test
    void doctor_tells_why_no_process_can_take_the_lease_instead_of_advising_to_start_one() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        try (Registration other = PostgresJournal.on(server.dataSource(journal.database()))
                .processes()
                .orElseThrow()
                .register()) {
            OwnerId process = new OwnerId("pid 7/1");
            other.announce(new Entry(process, 1, 1, Set.of()), Duration.ofMinutes(1));
            other.report(List.of(new RelayReport(
                    process,
                    new RelayName("to-kafka"),
                    "backing off",
                    Optional.of(Duration.ofMinutes(2)),
                    Optional.of("canceling statement due to lock timeout"))));
            assertThat(run("doctor")).isEqualTo(ExitCode.PROBLEMS.number());
            assertThat(text())
                    .contains("no process holds it", "it has been failing in pid 7/1 for 2 min", "due to lock timeout")
                    .doesNotContain("Start a process");
        }
        assertThat(run("doctor")).isEqualTo(ExitCode.WARNINGS.number());
        assertThat(text()).contains("Start a process");
    }

    /** Without line breaks. */
    private String text() {
        return cli.out().replaceAll("\\s+", " ");
    }

    @Test
    void status_shows_relays_whatever_is_in_the_register_of_processes() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        journal.execute("insert into waybill.process (id, beat, held, relays, until, reports) values"
                + " ('a', 1, 0, '{to-kafka}', 'infinity', '[{\"relay\": \"\", \"phase\": \"x\"}]'),"
                + " ('b', 1, 0, '{to-kafka,\"no relay\",null}', 'infinity', '[1]'), (' ', 1, 0, '{}', 'infinity', '[]'),"
                + " (E'c\\nRelay to-kafka is fine', 1, 0, '{to-kafka}', 'infinity', '[]')");
        assertThat(run("status")).as(cli.err()).isZero();
        assertThat(cli.out()).contains("to-kafka", "a runs 0 relays").doesNotContain("\nRelay to-kafka is fine");
        assertThat(run("status", "--json")).as(cli.err()).isZero();

        journal.execute("drop table waybill.process");
        assertThat(run("status")).as(cli.err()).isZero();
        assertThat(cli.out()).contains("to-kafka", "cannot be read");
    }

    @Test
    void a_dropped_relay_starts_over_only_after_it_is_restored() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        journal.execute(
                "update waybill.lease set owner = 'host-7', lease_until = clock_timestamp() + interval '1 hour'");
        assertThat(run("relay", "drop", "to-kafka", "--reason", "moved", "--yes"))
                .isNotZero();
        assertThat(cli.err()).contains("host-7", "Stop it");
        journal.execute("update waybill.lease set owner = null, lease_until = '-infinity'");
        assertThat(run("relay", "drop", "to-kafka", "--reason", "moved", "--yes"))
                .isZero();
        assertThatThrownBy(() -> journal.relay("to-kafka", place -> Settlement.PUBLISHED))
                .hasMessageContaining("waybill relay restore to-kafka");
        assertThat(run("relay", "restore", "to-kafka", "--reason", "back again"))
                .isEqualTo(ExitCode.DECLINED.number());
        assertThat(run("relay", "restore", "to-kafka", "--reason", "back again", "--yes"))
                .isZero();
        assertThat(run("relay", "restore", "to-kafka", "--reason", "back again", "--yes"))
                .isEqualTo(ExitCode.NOT_FOUND.number());
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        assertThat(run("audit", "--json")).isZero();
        assertThat(cli.json().get(0).get("action").asString()).isEqualTo("restore");
    }

    @Test
    void adopt_binds_a_copy_to_an_environment() {
        assertThat(run("adopt", "--environment", "staging", "--reason", "a copy of production"))
                .isEqualTo(ExitCode.DECLINED.number());
        assertThat(run("adopt", "--environment", "staging", "--reason", "a copy of production", "--yes"))
                .isZero();
        assertThat(cli.out()).contains("to staging");
        assertThat(run("adopt", "--yes")).isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void purge_deletes_old_published_events_and_is_audited() throws SQLException {
        journal.append("a.v1", 3);
        journal.relay("to-kafka", place -> Settlement.PUBLISHED);
        journal.execute(
                "update waybill.event set created_at = created_at - interval '40 days' where aggregate_id <> '3'");

        assertThat(run("purge", "--older-than", "30d")).isEqualTo(ExitCode.DECLINED.number());
        assertThat(run("purge", "--older-than", "30d", "--yes", "--json")).isZero();
        assertThat(cli.json().get("deleted").asInt()).isEqualTo(2);
        assertThat(run("audit")).isZero();
        assertThat(cli.out()).contains("purge");
    }

    @Test
    void doctor_reports_problems_with_remedies_and_an_exit_code() throws SQLException {
        journal.append("a.v1", 1);
        journal.relay("to-kafka", place -> DEAD);
        journal.execute("drop index waybill.parked_due");

        cli.on(new Terminal(70, false, true));
        assertThat(run("doctor")).isEqualTo(ExitCode.PROBLEMS.number());
        assertThat(cli.out())
                .contains("store " + journal.database(), "relay to-kafka")
                .containsPattern("PROBLEM +indexes +missing: parked_due")
                .containsPattern("warning +lease +no process holds it")
                .containsPattern("warning +dead +1 event is");
        assertThat(cli.out().lines()).allMatch(line -> line.length() <= 70);

        assertThat(run("doctor", "--json")).isEqualTo(ExitCode.PROBLEMS.number());
        assertThat(cli.json())
                .allMatch(finding -> finding.has("remedy")
                        != finding.get("severity").asString().equals("fine"));
    }

    @Test
    void an_event_that_is_retried_for_too_long_is_a_problem() throws SQLException {
        String id = journal.append("a.v1", 2).get(0);
        journal.relay(
                "to-kafka",
                place -> place == 0
                        ? new Settlement.RetryAt(Instant.parse("2100-01-01T00:00:00Z"), "the broker said no")
                        : Settlement.PUBLISHED);
        assertThat(run("doctor")).isEqualTo(ExitCode.WARNINGS.number());
        assertThat(cli.out()).containsPattern("ok +parked +1 event is parked, the oldest [0-9.]+ s old");
        assertThat(run("doctor", "--parked-longer-than", "0s")).isEqualTo(ExitCode.PROBLEMS.number());

        journal.execute("update waybill.event set created_at = created_at - interval '2 hours'");
        assertThat(run("doctor")).isEqualTo(ExitCode.PROBLEMS.number());
        assertThat(cli.out().replaceAll("\\s+", " "))
                .contains("PROBLEM parked 1 event is parked, the oldest 2 h 0 min old: event " + id
                        + " (a.v1) failed 1 time, last with: the broker said no")
                .contains("waybill events --relay to-kafka --state parked");
        assertThat(run("doctor", "--parked-longer-than", "3h")).isEqualTo(ExitCode.WARNINGS.number());
        assertThat(run("status")).isZero();
        assertThat(cli.out()).containsPattern("to-kafka .* 2 h 0 min +1 +0 ");
        assertThat(run("status", "--json")).isZero();
        assertThat(cli.json().get(0).get("oldestSeconds").asDouble()).isBetween(7_200.0, 8_000.0);
        assertThat(cli.json().get(0).get("oldestParkedSeconds").asDouble()).isBetween(7_200.0, 8_000.0);
    }

    @Test
    void doctor_reports_an_unavailable_database() {
        assertThat(cli.run("doctor", "--url", "jdbc:postgresql://127.0.0.1:1/none?user=nobody"))
                .isEqualTo(ExitCode.PROBLEMS.number());
        assertThat(cli.out()).contains("cannot be reached").doesNotContain("\tat ");
    }
}
