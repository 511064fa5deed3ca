package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command showed is what it changes, whatever happens before somebody confirms. */
class ConfirmedChangesTest extends JournalCommandsFixture {
    private static final RelayName RELAY = new RelayName("to-kafka");
    private static final Actor BEN = new Actor("ben", "by hand");

    @ParameterizedTest
    @ValueSource(strings = {"requeue", "discard"})
    void exactly_the_events_that_were_shown_are_changed(String command) throws SQLException {
        List<String> shown = journal.append("a.v1", 5);
        journal.relay(RELAY.value(), place -> DEAD);
        cli.answering(() -> {
            more(50);
            return "y";
        });

        assertThat(run(command, "--relay", RELAY.value(), "--state", "dead", "--reason", "test data"))
                .as(cli.err())
                .isZero();

        assertThat(cli.err()).contains("5 events");
        assertThat(cli.out()).contains(command + (command.endsWith("e") ? "d" : "ed") + " 5;", "50 more match now");
        assertThat(dead()).hasSize(50).doesNotContainAnyElementsOf(shown);
        assertThat(run("audit", "--json")).isZero();
        assertThat(cli.json().get(0).get("details").asString()).contains(shown).contains("all dead");
    }

    @Test
    void without_a_question_the_events_are_selected_once() throws SQLException {
        journal.append("a.v1", 3);
        journal.relay(RELAY.value(), place -> DEAD);

        assertThat(run("requeue", "--relay", RELAY.value(), "--state", "dead", "--yes", "--json"))
                .isZero();

        assertThat(cli.json().get("requeued").asInt()).isEqualTo(3);
        assertThat(cli.json().get("leftOut").asInt()).isZero();
        assertThat(cli.json().get("since").asInt()).isZero();
        assertThat(dead()).isEmpty();
    }

    @Test
    void an_event_that_failed_again_after_it_was_shown_is_left_out() throws SQLException {
        List<String> shown = journal.append("a.v1", 3);
        journal.relay(RELAY.value(), place -> DEAD);
        cli.answering(() -> {
            admin().requeue(RELAY, Selection.of(shown.get(1)), BEN);
            journal.relay(RELAY.value(), place -> DEAD);
            return "y";
        });

        assertThat(run("discard", "--relay", RELAY.value(), "--state", "dead", "--reason", "test data"))
                .isZero();

        assertThat(cli.out()).contains("discarded 2", "left out 1");
        assertThat(dead()).containsExactly(shown.get(1));
    }

    @Test
    void events_by_id_that_were_not_parked_when_they_were_shown_are_left_as_they_are() throws SQLException {
        List<String> ids = journal.append("a.v1", 2);
        journal.relay(RELAY.value(), place -> place == 0 ? DEAD : retry());
        cli.answering(() -> {
            List<String> later = List.of(ids.get(1));
            admin().requeue(RELAY, Selection.of(later), BEN);
            journal.relay(RELAY.value(), place -> DEAD);
            return "y";
        });

        assertThat(run("discard", "--relay", RELAY.value(), ids.get(0), ids.get(1), "--reason", "test data"))
                .isZero();

        assertThat(cli.out()).contains("discarded 1", "left out 1");
        assertThat(dead()).containsExactly(ids.get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"requeue", "discard"})
    void what_was_changed_is_told_also_if_the_store_cannot_be_read_afterwards(String command) throws SQLException {
        journal.append("a.v1", 3);
        journal.relay(RELAY.value(), place -> DEAD);
        journal.execute("""
                create function hide() returns trigger language plpgsql as
                    'begin alter table waybill.parked rename to hidden; return null; end';
                create constraint trigger hides after insert on waybill.audit deferrable initially deferred
                    for each row execute function hide()""");

        assertThat(run(command, "--relay", RELAY.value(), "--state", "dead", "--reason", "test data", "--yes"))
                .as(cli.err())
                .isZero();

        assertThat(cli.out())
                .contains(command + (command.endsWith("e") ? "d" : "ed") + " 3; how many more match now is unknown: ")
                .contains("42P01");
    }

    @Test
    void a_command_that_changed_none_of_what_it_showed_fails() throws SQLException {
        List<String> shown = journal.append("a.v1", 1);
        journal.relay(RELAY.value(), place -> DEAD);
        cli.answering(() -> {
            admin().discard(RELAY, Selection.of(shown), BEN);
            return "y";
        });

        assertThat(run("discard", "--relay", RELAY.value(), "--state", "dead", "--reason", "test data"))
                .isEqualTo(ExitCode.FAILED.number());

        assertThat(cli.out()).contains("discarded 0, left out 1");
        assertThat(cli.err()).contains("waybill audit");
    }

    @Test
    void the_age_of_what_is_purged_counts_from_the_question() throws SQLException {
        journal.append("a.v1", 2);
        journal.relay(RELAY.value(), place -> Settlement.PUBLISHED);
        journal.execute("update waybill.event set created_at = created_at - interval '30 minutes'");
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        cli.at(now::get).answering(() -> {
            now.updateAndGet(time -> time.plus(Duration.ofHours(1)));
            return "y";
        });

        assertThat(run("purge", "--older-than", "10m")).isZero();

        assertThat(journal.number("select count(*) from waybill.event")).isEqualTo(2);
    }

    private void more(int count) {
        try {
            journal.append("a.v1", count);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        journal.relay(RELAY.value(), place -> DEAD);
    }

    private static Settlement retry() {
        return new Settlement.RetryAt(Instant.now().plus(Duration.ofHours(1)), "no broker", true);
    }

    private StoreAdmin admin() {
        return PostgresJournal.on(server.dataSource(journal.database())).admin();
    }

    private List<String> dead() {
        return admin().parked(ParkedQuery.of(RELAY).in(ParkedState.DEAD).atMost(1_000)).stream()
                .map(ParkedEvent::eventId)
                .toList();
    }
}
