package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Finding;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A copy of a cluster that keeps its xids, as pg_upgrade makes it, goes on by itself. */
class UpgradedJournalTest extends RestoredJournalFixture {
    /** As the database finds itself after pg_upgrade: another identifier, and everything else as it was. */
    @Test
    void after_an_upgrade_relays_go_on_and_no_event_is_rewritten() throws Exception {
        append("a1", "a2");
        try (RelaySession session = open()) {
            assertThat(drain(session)).hasSize(2);
        }
        append("a3");
        List<String> before = rowsOf("a1", "a2", "a3");
        pretendToHaveBeenUpgraded();

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
    void events_that_were_written_anew_are_no_upgrade_though_the_identity_says_so() throws Exception {
        append("a1");
        append("a2");
        open().close();
        pretendToHaveBeenUpgraded();
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
        pretendToHaveBeenUpgraded();

        assertThat(drain(open())).isEmpty();
    }

    @Test
    void adopted_events_survive_an_upgrade() throws Exception {
        publishOnOld("a1", "a2");
        restore();
        journal().adopt(ANNA);
        open().close();
        pretendToHaveBeenUpgraded();

        assertThat(drain(open())).isEmpty();
    }

    @Test
    void the_new_identifier_is_taken_over_and_the_old_one_is_never_asked_for_again() throws Exception {
        append("a1");
        open().close();
        journal().open(OTHER_RELAY, OWNER, LEASE).orElseThrow().close();
        pretendToHaveBeenUpgraded();

        assertThat(drain(open())).containsExactly("a1");
        assertThat(database.texts("select distinct system_id from waybill.relay"))
                .containsExactly(systemId(database));
        assertThat(journal().open(OTHER_RELAY, OWNER, LEASE)).isPresent().get().satisfies(RelaySession::close);
    }
}
