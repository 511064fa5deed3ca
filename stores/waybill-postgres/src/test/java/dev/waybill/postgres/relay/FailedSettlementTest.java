package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A transaction of a settlement fails while its connection survives: the state must be as before. */
class FailedSettlementTest extends JournalFixture {
    private static final Settlement RETRY = new Settlement.RetryAt(Instant.EPOCH, "try again", true);
    private static final Actor ANNA = new Actor("anna", "a test");

    /** Statements on a table fail while its name is in {@code failing}. */
    @BeforeAll
    void createFailures() throws SQLException {
        database.execute("""
                create table failing (name text primary key);
                create function fail() returns trigger language plpgsql as $$
                    begin
                        if exists (select from failing where name = tg_table_name) then
                            raise exception 'failing as asked for' using errcode = '55P03';
                        end if;
                        return null;
                    end $$;
                create trigger fail after insert or update or delete on waybill.parked for each statement execute function fail();
                create trigger fail after insert on waybill.window_log for each statement execute function fail();
                create trigger fail after update of base on waybill.relay for each statement execute function fail()""");
    }

    @AfterEach
    void letAllSucceed() throws SQLException {
        database.execute("delete from failing");
    }

    private void letFail(String table) throws SQLException {
        database.execute("insert into failing values ('" + table + "')");
    }

    @Test
    void events_that_could_not_be_parked_are_claimed_again_by_the_next_session() throws SQLException {
        RelaySession session = open();
        append("a1", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        letFail("parked");
        assertThatThrownBy(() -> session.settle(batch, List.of(RETRY, Settlement.PUBLISHED)))
                .isInstanceOf(StoreException.class);
        letAllSucceed();
        session.close();

        assertThat(drain(open())).containsExactly("a1", "b1");
    }

    @Test
    void events_behind_a_closed_key_that_could_not_be_parked_are_claimed_again() throws SQLException {
        RelaySession session = open();
        append("a1");
        session.settle(session.claim(PLENTY).orElseThrow(), List.of(new Settlement.Dead("never", true, true)));
        append("a2", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        letFail("parked");
        assertThatThrownBy(() -> publish(session, batch)).isInstanceOf(StoreException.class);
        letAllSucceed();
        session.close();

        assertThat(drain(open())).containsExactly("b1");
        assertThat(database.number("select count(*) from waybill.parked")).isEqualTo(2);
    }

    @Test
    void closing_does_not_save_a_position_that_could_not_be_saved() throws SQLException {
        RelaySession session = open();
        append("a1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        clock().advance(Duration.ofSeconds(1));
        letFail("relay");
        assertThatThrownBy(() -> publish(session, batch)).isInstanceOf(StoreException.class);
        letAllSucceed();
        session.close();

        assertThat(drain(open())).containsExactly("a1");
    }

    @Test
    void a_failed_session_does_nothing_more_and_releases_its_lease() throws SQLException {
        RelaySession session = open();
        append("a1", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        letFail("parked");
        assertThatThrownBy(() -> session.settle(batch, List.of(RETRY, RETRY))).isInstanceOf(StoreException.class);
        letAllSucceed();

        assertThatThrownBy(() -> session.settle(batch, List.of(RETRY, RETRY)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("failed");
        assertThatThrownBy(() -> session.claim(PLENTY)).isInstanceOf(StoreException.class);
        assertThat(session.renew()).isFalse();
        session.close();
        assertThat(tracked(journal().open(RELAY, new OwnerId("another"), LEASE)))
                .as("the lease is free")
                .isPresent();
    }

    @Test
    void the_events_of_a_failed_replay_are_counted_once() throws SQLException {
        append("a1", "b1");
        RelayName again = new RelayName("again");
        PostgresJournal journal = journal();
        journal.replays().start(again, ReplayQuery.EVERYTHING, ANNA);
        RelaySession session =
                tracked(journal.replays().store().open(again, OWNER, LEASE)).orElseThrow();
        Batch batch = session.claim(PLENTY).orElseThrow();
        letFail("parked");
        assertThatThrownBy(() -> session.settle(batch, List.of(Settlement.PUBLISHED, RETRY)))
                .isInstanceOf(StoreException.class);
        letAllSucceed();
        session.close();

        RelaySession next =
                tracked(journal.replays().store().open(again, OWNER, LEASE)).orElseThrow();
        assertThat(drain(next)).containsExactly("a1", "b1");
        assertThat(journal.replays().replay(again).orElseThrow().counts().sent())
                .isEqualTo(2);
    }

    @Test
    void events_of_a_failed_save_are_counted_once_in_the_window_log() throws SQLException {
        RelaySession session = open();
        append("a1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        clock().advance(Duration.ofMinutes(1));
        letFail("window_log");
        assertThatThrownBy(() -> publish(session, batch)).isInstanceOf(StoreException.class);
        letAllSucceed();
        session.close();

        RelaySession next = open();
        assertThat(drain(next)).containsExactly("a1");
        next.close();
        assertThat(database.number("select sum(events) from waybill.window_log"))
                .isEqualTo(1);
    }

    /** The driver quotes all values of a failed batch. */
    @Test
    void the_error_of_a_failed_batch_has_no_values_of_events() throws SQLException {
        RelaySession session = open();
        append("a1", "b1");
        Batch batch = session.claim(PLENTY).orElseThrow();
        letFail("parked");
        Settlement secret = new Settlement.RetryAt(Instant.EPOCH, "card 4711 was refused", true);

        assertThatThrownBy(() -> session.settle(batch, List.of(secret, secret)))
                .isInstanceOf(StoreException.class)
                .satisfies(e ->
                        assertThat(everythingIn(e)).doesNotContain("4711").contains("failing as asked for", "55P03"));
    }

    private static String everythingIn(Throwable e) {
        StringWriter words = new StringWriter();
        e.printStackTrace(new PrintWriter(words));
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                for (Throwable next : sql) {
                    words.append(String.valueOf(next)).append(String.valueOf(next.getMessage()));
                }
            }
        }
        return words.toString();
    }

    @Test
    void time_limits_of_the_database_do_not_apply_to_a_relay() throws SQLException {
        database.execute("""
                alter database "%1$s" set statement_timeout = '3s';
                alter database "%1$s" set lock_timeout = '2s';
                alter database "%1$s" set idle_in_transaction_session_timeout = '3s';
                alter database "%1$s" set idle_session_timeout = '3s';
                alter database "%1$s" set transaction_timeout = '3s'""".formatted(database.name()));
        JournalConnection connection = JournalConnection.open(database.dataSource());
        try {
            for (String name :
                    List.of("transaction_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout")) {
                assertThat(setting(connection, name)).as(name).isEqualTo("0");
            }
            assertThat(setting(connection, "statement_timeout")).isEqualTo("25s");
            assertThat(setting(connection, "lock_timeout")).isEqualTo("10s");
        } finally {
            connection.closeQuietly();
            database.execute("alter database \"" + database.name() + "\" reset all");
        }
    }

    private static String setting(JournalConnection connection, String name) throws SQLException {
        try (var row = connection.prepare("show " + name).executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }
}
