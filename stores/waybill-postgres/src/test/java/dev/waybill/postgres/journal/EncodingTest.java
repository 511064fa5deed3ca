package dev.waybill.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.testkit.SharedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database without an encoding is refused; any other encoding is converted. */
class EncodingTest {
    private static final OwnerId OWNER = new OwnerId("owner");

    @Test
    void a_database_without_an_encoding_gets_no_journal() throws SQLException {
        JournalDatabase database = JournalDatabase.inEncoding(SharedPostgres.server(), "SQL_ASCII");
        try (Connection connection = database.connect()) {
            assertThatThrownBy(() -> JournalSchema.create(connection))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContainingAll("SQL_ASCII", "template template0 encoding 'UTF8'", "Nothing was changed");
        }
        assertThat(database.number("select count(*) from pg_namespace where nspname = 'waybill'"))
                .isZero();
    }

    @Test
    void a_relay_refuses_a_journal_in_such_a_database_and_the_checkup_says_why() throws SQLException {
        JournalDatabase database = JournalDatabase.inEncoding(SharedPostgres.server(), "SQL_ASCII");
        database.execute(JournalSchema.script());
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                values ('a1', 'Thing', convert_from('\\xe4', 'SQL_ASCII'), '{}')""");
        PostgresJournal journal = PostgresJournal.on(database.dataSource());

        assertThatThrownBy(() -> journal.open(new RelayName("relay"), OWNER, Duration.ofMinutes(1)))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("SQL_ASCII", "encoding 'UTF8'");
        assertThat(journal.admin().examine())
                .filteredOn(finding -> finding.subject().equals("connection"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.severity()).isEqualTo(Finding.Severity.PROBLEM);
                    assertThat(finding.what()).contains("SQL_ASCII");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"LATIN1", "WIN1252", "EUC_JP"})
    void text_in_another_encoding_is_converted(String encoding) throws SQLException {
        JournalDatabase database = JournalDatabase.inEncoding(SharedPostgres.server(), encoding);
        try (Connection connection = database.connect()) {
            JournalSchema.create(connection);
        }
        try (Connection connection = database.begin()) {
            JournalFixture.append(connection, "größe1");
            connection.commit();
        }
        try (RelaySession session = PostgresJournal.on(database.dataSource())
                .open(new RelayName("relay"), OWNER, Duration.ofMinutes(1))
                .orElseThrow()) {
            assertThat(JournalFixture.drain(session)).containsExactly("größe1");
        }
    }
}
