package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Large values that the disk has lost do not keep other events from being published. */
class DamagedValuesTest {

    @Test
    void events_whose_large_payload_is_damaged_are_dead_and_the_others_go_on() throws SQLException, IOException {
        try (PostgresServer server = PostgresServer.start()) {
            JournalDatabase database = JournalDatabase.create(server);
            append(database, "a1");
            appendLarge(database, "b1");
            append(database, "a2");
            appendLarge(database, "b2");
            append(database, "a3");
            String file = database.texts("""
                    select current_setting('data_directory') || '/' || pg_relation_filepath(reltoastrelid)
                      from pg_class where oid = 'waybill.event'::regclass""").get(0);
            server.stop();
            Files.write(Path.of(file), new byte[0]);
            server.restart();
            List<String> dead = new ArrayList<>();
            List<String> published = new ArrayList<>();
            try (RelaySession session = PostgresJournal.on(database.dataSource())
                    .open(JournalFixture.RELAY, JournalFixture.OWNER, JournalFixture.LEASE)
                    .orElseThrow()) {
                for (Optional<Batch> batch = session.claim(JournalFixture.PLENTY);
                        batch.isPresent();
                        batch = session.claim(JournalFixture.PLENTY)) {
                    session.settle(
                            batch.get(),
                            batch.get().events().stream()
                                    .map(event -> outcome(event, published, dead))
                                    .toList());
                }
            }

            assertThat(published).containsExactly("a1", "a2", "a3");
            assertThat(dead)
                    .hasSize(2)
                    .allSatisfy(reason -> assertThat(reason).contains("because of payload (SQLSTATE XX001"));
        }
    }

    private static Settlement outcome(StoredEvent event, List<String> published, List<String> dead) {
        if (event.unreadable().isPresent()) {
            dead.add(event.unreadable().get());
            return new Settlement.Dead(event.unreadable().get(), false, false);
        }
        published.add(event.type().toString());
        return Settlement.PUBLISHED;
    }

    private static void append(JournalDatabase database, String name) throws SQLException {
        try (Connection connection = database.begin()) {
            JournalFixture.append(connection, name);
            connection.commit();
        }
    }

    private static void appendLarge(JournalDatabase database, String name) throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select '%s', 'Thing', 'b', to_json(string_agg(md5(n::text), '')) from generate_series(1, 3000) n""".formatted(name));
    }
}
