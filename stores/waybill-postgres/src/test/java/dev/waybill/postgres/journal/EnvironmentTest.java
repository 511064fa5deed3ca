package dev.waybill.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A clone of the storage keeps the cluster's identifier and all positions; only its environment differs from the original. */
class EnvironmentTest extends JournalFixture {
    private static final Actor ANNA = new Actor("anna", "staging gets its own copy");

    private PostgresJournal configuredFor(String environment) {
        return PostgresJournal.on(database.dataSource(), options().environment(environment));
    }

    @Test
    void the_first_relay_that_names_an_environment_binds_the_database_to_it() throws SQLException {
        open(configuredFor("production")).close();

        assertThat(database.texts("select name from waybill.environment")).containsExactly("production");
        open(configuredFor("production")).close();
    }

    @Test
    void a_process_of_another_environment_is_refused_with_the_remedy_in_either_direction() throws SQLException {
        append("a1");
        open(configuredFor("production")).close();

        assertThatThrownBy(() -> open(configuredFor("staging")))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll(
                        "bound to the environment production",
                        "configured for staging",
                        "waybill adopt --environment staging");

        configuredFor("staging").bindEnvironment("staging", ANNA);
        assertThatThrownBy(() -> open(configuredFor("production")))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("bound to the environment staging", "configured for production");
        RelaySession session = open(configuredFor("staging"));
        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    void a_replay_is_refused_too() throws SQLException {
        append("a1");
        open(configuredFor("production")).close();
        RelayName again = new RelayName("again");
        journal().replays().start(again, ReplayQuery.EVERYTHING, ANNA);

        assertThatThrownBy(() -> configuredFor("staging").replays().store().open(again, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("bound to the environment production");
    }

    @Test
    void without_a_configured_environment_nothing_is_checked() throws SQLException {
        append("a1");
        open(configuredFor("production")).close();

        assertThat(drain(open())).containsExactly("a1");
    }

    @Test
    void binding_is_audited() {
        configuredFor("production").bindEnvironment("production", ANNA);
        configuredFor("staging").bindEnvironment("staging", ANNA);

        assertThat(journal().admin().audit(1)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("bind-environment");
            assertThat(entry.details()).isEqualTo("staging, before: production");
        });
    }

    @Test
    void the_checkup_reports_the_environment_and_a_wrong_one() {
        configuredFor("production").bindEnvironment("production", ANNA);

        assertThat(environmentOf(configuredFor("production").admin().examine()).severity())
                .isEqualTo(Finding.Severity.FINE);
        Finding wrong = environmentOf(configuredFor("staging").admin().examine());
        assertThat(wrong.severity()).isEqualTo(Finding.Severity.PROBLEM);
        assertThat(wrong.what()).contains("bound to production", "for staging");
    }

    private static Finding environmentOf(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals("environment"))
                .findFirst()
                .orElseThrow();
    }
}
