package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Finding;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A copy of a cluster that keeps its xids, as after pg_upgrade, is read without adopting. */
class UpgradedJournalTest extends RestoredJournalFixture {
    /** Another identifier, and everything else unchanged. */
    @Test
    void after_an_upgrade_relays_continue_and_no_event_is_rewritten() throws Exception {
        append("a1", "a2");
        try (RelaySession session = open()) {
            assertThat(drain(session)).hasSize(2);
        }
        append("a3");
        List<String> before = rowsOf("a1", "a2", "a3");
        simulateUpgrade();

        RelaySession session = open();
        assertThat(drain(session)).containsExactly("a3");
        append("a4");
        assertThat(drain(session)).containsExactly("a4");
        assertThat(journal().admin().examine())
                .filteredOn(finding -> finding.subject().equals("cluster"))
                .allMatch(finding -> finding.severity() == Finding.Severity.FINE);
        assertThat(rowsOf("a1", "a2", "a3")).isEqualTo(before);
    }

    @Test
    void rewritten_events_are_not_an_upgrade_even_with_the_same_identity() throws Exception {
        append("a1");
        append("a2");
        open().close();
        simulateUpgrade();
        database.execute("update waybill.event set xid = (xid::text::bigint - 100)::text::xid8");

        assertThatThrownBy(this::open).isInstanceOf(StoreRefusedException.class).hasMessageContaining("waybill adopt");
    }

    @Test
    void events_appended_inside_a_savepoint_survive_an_upgrade() throws Exception {
        try (Connection connection = database.begin()) {
            appendInSavepoint(connection, "a1", "a2");
            connection.commit();
        }
        try (RelaySession session = open()) {
            assertThat(drain(session)).hasSize(2);
        }
        simulateUpgrade();

        assertThat(drain(open())).isEmpty();
    }

    @Test
    void adopted_events_survive_an_upgrade() throws Exception {
        publishOnOld("a1", "a2");
        restore();
        journal().adopt(ANNA);
        open().close();
        simulateUpgrade();

        assertThat(drain(open())).isEmpty();
    }

    @Test
    void positions_get_the_new_identifier_after_an_upgrade() throws Exception {
        append("a1");
        open().close();
        journal().open(OTHER_RELAY, OWNER, LEASE).orElseThrow().close();
        simulateUpgrade();

        assertThat(drain(open())).containsExactly("a1");
        assertThat(database.texts("select distinct system_id from waybill.relay"))
                .containsExactly(systemId(database));
        assertThat(journal().open(OTHER_RELAY, OWNER, LEASE)).isPresent().get().satisfies(RelaySession::close);
    }
}
