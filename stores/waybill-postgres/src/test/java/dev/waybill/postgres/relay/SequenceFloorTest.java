package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.Remedy;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sequence that cannot be read, or that assigns seqs again, must never look like an empty journal. */
class SequenceFloorTest extends JournalFixture {
    private static final String ROLE = "sequence_relay";
    private static final String REVOKE = "revoke all on sequence waybill.event_seq_seq from " + ROLE;

    @BeforeAll
    void createRole() throws SQLException {
        database.execute("create role " + ROLE + " login");
    }

    private DataSource restricted() throws SQLException {
        database.execute(JournalSchema.grants(DatabaseRoles.NONE.relay(ROLE)));
        return database.dataSourceAs(ROLE);
    }

    // ---- the privilege

    @Test
    void without_a_grant_on_the_sequence_a_relay_is_refused_with_the_remedy() throws SQLException {
        PostgresJournal journal = PostgresJournal.on(restricted(), options());
        database.execute(REVOKE);
        append("a1");

        assertThatThrownBy(() -> open(journal))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        "Relay relay",
                        "may not read the sequence",
                        "`grant select on sequence waybill.event_seq_seq to " + ROLE + "`");

        database.execute("grant select on sequence waybill.event_seq_seq to " + ROLE);
        assertThat(drain(open(journal))).containsExactly("a1");
    }

    @Test
    void a_grant_that_is_revoked_while_a_relay_runs_ends_its_session() throws SQLException {
        RelaySession session = open(PostgresJournal.on(restricted(), options()));
        append("a1");
        assertThat(drain(session)).containsExactly("a1");
        append("a2");

        database.execute(REVOKE);

        assertThatThrownBy(() -> session.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("grant select on sequence waybill.event_seq_seq");
    }

    @Test
    void a_grant_that_is_revoked_before_the_first_event_ends_the_session_too() throws SQLException {
        RelaySession session = open(PostgresJournal.on(restricted(), options()));
        assertThat(drain(session)).isEmpty();

        database.execute(REVOKE);
        append("a1");

        assertThatThrownBy(() -> session.claim(PLENTY)).isInstanceOf(StoreRefusedException.class);
    }

    // ---- seqs that are assigned again

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate waybill.event restart identity",
                "truncate waybill.event; alter sequence waybill.event_seq_seq restart",
                "truncate waybill.event; select setval('waybill.event_seq_seq', 1)"
            })
    void a_sequence_set_back_is_refused_and_after_the_remedy_nothing_is_missing(String setBack) throws SQLException {
        append("a1", "a2", "a3");
        RelaySession running = open();
        assertThat(drain(running)).hasSize(3);
        clock().advance(Duration.ofSeconds(1));
        running.claim(PLENTY);

        database.execute(setBack);
        append("b1");

        assertThatThrownBy(() -> running.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("Relay relay", "seq 3 was assigned before", "setval");
        running.close();
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("Relay relay", "seq 3 was assigned before", "setval")
                .satisfies(refusal -> Remedy.run(refusal.getMessage(), database));
        append("b2");

        RelaySession session = open();
        assertThat(drain(session)).containsExactly("b1", "b2");
        append("b3");
        assertThat(drain(session)).containsExactly("b3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "truncate waybill.event restart identity",
                "delete from waybill.event; select setval('waybill.event_seq_seq', 1, false)"
            })
    void a_sequence_set_back_that_has_passed_the_old_floor_is_refused_too(String setBack) throws SQLException {
        RelaySession running = publishedFive();

        database.execute(setBack);
        append("b1", "b2", "b3", "b4");
        append("b5", "b6", "b7");

        assertThatThrownBy(() -> running.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("Relay relay", "assigned seq 1 again", "seq 5 was assigned before", "setval");
        running.close();
        RelaySession next = open();
        assertThatThrownBy(() -> next.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("assigned seq 1 again")
                .satisfies(refusal -> Remedy.run(refusal.getMessage(), database));
        next.close();

        RelaySession session = open();
        assertThat(drain(session)).containsExactly("b1", "b2", "b3", "b4", "b5", "b6", "b7");
        append("b8");
        assertThat(drain(session)).containsExactly("b8");
    }

    @Test
    void a_sequence_set_back_that_has_reached_the_old_floor_is_refused_too() throws SQLException {
        RelaySession running = publishedFive();

        database.execute("truncate waybill.event restart identity");
        append("b1", "b2", "b3", "b4", "b5");

        assertThatThrownBy(() -> running.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("assigned seq 1 again");
    }

    /** Retention left a gap, and newer events with higher seqs were appended before and after. */
    @Test
    void seqs_assigned_again_between_others_are_found() throws SQLException {
        RelaySession running = publishedFive();

        append("b6");
        database.execute("delete from waybill.event where seq in (2, 3); select setval('waybill.event_seq_seq', 1)");
        append("c1", "c2");
        database.execute("select setval('waybill.event_seq_seq', 6)");
        append("d1");

        assertThatThrownBy(() -> running.claim(PLENTY))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("assigned seq 2 again");
    }

    @Test
    void the_remedy_never_sets_the_sequence_back() throws SQLException {
        publishedFive().close();
        database.execute("truncate waybill.event restart identity");
        append("b1", "b2", "b3");
        append("b4", "b5", "b6");
        database.execute("select setval('waybill.event_seq_seq', 20)");
        RelaySession session = open();

        assertThatThrownBy(() -> session.claim(PLENTY))
                .satisfies(refusal -> Remedy.run(refusal.getMessage(), database));

        assertThat(database.number("select last_value from waybill.event_seq_seq"))
                .isEqualTo(20);
    }

    /** A session that has published seqs 1 to 5 and polled once more. */
    private RelaySession publishedFive() throws SQLException {
        RelaySession running = open();
        for (int i = 1; i <= 5; i++) {
            append("a" + i);
            assertThat(drain(running)).containsExactly("a" + i);
        }
        clock().advance(Duration.ofSeconds(1));
        assertThat(running.claim(PLENTY)).isEmpty();
        return running;
    }

    @Test
    void a_new_relay_is_refused_if_events_are_above_the_sequence() throws SQLException {
        append("a1", "a2", "a3");
        database.execute("select setval('waybill.event_seq_seq', 1)");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("is at 1", "seq 3 was assigned before");
    }

    @Test
    void a_position_inside_a_window_counts_too() throws SQLException {
        append("a1", "a2", "a3");
        try (RelaySession session = open()) {
            publish(session, session.claim(new Limits(2, 1_000)).orElseThrow());
        }
        database.execute("truncate waybill.event restart identity");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("seq 3 was assigned before");
    }

    @Test
    void truncating_without_restarting_the_sequence_is_harmless() throws SQLException {
        append("a1", "a2");
        RelaySession running = open();
        assertThat(drain(running)).hasSize(2);

        database.execute("truncate waybill.event");
        append("b1");

        assertThat(drain(running)).containsExactly("b1");
        running.close();
        append("b2");
        assertThat(drain(open())).containsExactly("b2");
    }

    @Test
    void a_replay_on_a_sequence_set_back_is_refused() throws SQLException {
        append("a1", "a2", "a3");
        RelayName again = new RelayName("again");
        journal().replays().start(again, ReplayQuery.EVERYTHING, new Actor("anna", "once more"));
        database.execute("truncate waybill.event restart identity");

        assertThatThrownBy(() -> journal().replays().store().open(again, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("assigned before");
    }
}
