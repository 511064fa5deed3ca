package dev.waybill.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A hosted server on which nobody may call the functions of the WAL and the control file. */
class HiddenFunctionsTest extends JournalFixture {
    private static final String ROLE = "hosted_relay";
    private static final Actor ANNA = new Actor("anna", "looking");

    HiddenFunctionsTest() {
        super(JournalDatabase.create(PostgresServer.start()));
    }

    @BeforeAll
    void hide() throws SQLException {
        database.execute("""
                revoke execute on function pg_control_system() from public;
                revoke execute on function pg_current_wal_insert_lsn() from public;
                revoke execute on function pg_current_wal_flush_lsn() from public;
                create role %s login;""".formatted(ROLE) + JournalSchema.grants(DatabaseRoles.NONE.relay(ROLE)));
    }

    @AfterAll
    void stopServer() {
        database.server().close();
    }

    @Override
    protected PostgresJournal journal() {
        return PostgresJournal.on(database.dataSourceAs(ROLE), options());
    }

    @Test
    void a_relay_publishes_parks_and_takes_over() throws SQLException {
        append("a1", "b1");
        RelaySession first = open();
        Batch batch = first.claim(PLENTY).orElseThrow();
        first.settle(batch, List.of(new Settlement.RetryAt(clock().instant(), "again"), Settlement.PUBLISHED));
        assertThat(drain(first)).containsExactly("a1");
        first.close();
        append("b2");

        assertThat(drain(open())).containsExactly("b2");
    }

    @Test
    void replays_and_checkups_work() throws SQLException {
        append("a1");
        RelayName again = new RelayName("again");
        PostgresJournal asOwner = PostgresJournal.on(database.dataSource(), options());
        asOwner.replays().start(again, ReplayQuery.EVERYTHING, ANNA);

        assertThat(drain(tracked(journal().replays().store().open(again, OWNER, LEASE))
                        .orElseThrow()))
                .containsExactly("a1");
        assertThat(journal().admin().examine())
                .filteredOn(finding -> finding.subject().equals("cluster"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.FINE);
                    assertThat(finding.what()).contains("identity kept in the schema");
                });
    }

    @Test
    void a_position_of_another_identity_is_refused() throws SQLException {
        open().close();
        database.execute("update waybill.relay set system_id = 'schema:1c9ff3ab-0000-4000-8000-000000000000:1:1'");

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("was saved on the database cluster schema:1c9ff3ab", "adopt");
    }

    /** A restore writes the row again: the id is the same, its xid is not. */
    @Test
    void a_dump_contains_the_id_but_not_the_identity() throws SQLException {
        open().close();
        database.execute("create temp table kept as select * from waybill.identity; delete from waybill.identity;"
                + " insert into waybill.identity select * from kept");

        assertThatThrownBy(this::open).isInstanceOf(StoreRefusedException.class).hasMessageContaining("adopt");
    }

    @Test
    void positions_stay_valid_when_the_server_shows_its_identifier_later() throws SQLException {
        append("a1");
        try (RelaySession session = open()) {
            assertThat(drain(session)).containsExactly("a1");
        }
        append("a2");

        RelaySession shown = open(PostgresJournal.on(database.dataSource(), options()));
        assertThat(drain(shown)).containsExactly("a2");
        shown.close();
        append("a3");

        assertThat(drain(open())).as("after it is hidden again").containsExactly("a3");
    }

    @Test
    void a_relay_that_began_with_a_shown_identifier_continues_when_it_is_hidden() throws SQLException {
        open(PostgresJournal.on(database.dataSource(), options())).close();
        append("a1");

        assertThat(drain(open())).containsExactly("a1");
    }

    @Test
    void only_a_relay_that_waits_for_the_wal_needs_its_functions() throws SQLException {
        append("a1");
        RelaySession waiting =
                open(PostgresJournal.on(database.dataSourceAs(ROLE), options().waitFor(WaitFor.FLUSH)));

        assertThatThrownBy(() -> waiting.claim(PLENTY))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("pg_current_wal");
    }
}
