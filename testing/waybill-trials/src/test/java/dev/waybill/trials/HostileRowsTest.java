package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.EventIds;
import dev.waybill.admin.RelayStatus;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Hostile rows affect only their own events. The relay has a heap of 256 MB. */
class HostileRowsTest {
    private static final int KEYS = 40;

    @Test
    void a_producer_cannot_stop_a_relay() throws Exception {
        amongHostileRows(400);
    }

    @Test
    @Tag("full")
    void nor_with_five_thousand_rows() throws Exception {
        amongHostileRows(5_000);
    }

    private static void amongHostileRows(int rows) throws Exception {
        try (Trial trial = Trial.begin("hostile-rows")) {
            RelaySettings settings = trial.relay("orders");
            DataSource producer = producer(trial);
            RelayChild process = trial.start(settings);
            HostileRows hostile = new HostileRows(trial.random());
            Map<String, List<UUID>> good = new HashMap<>();
            try (Connection connection = producer.getConnection()) {
                for (int i = 0; i < rows; i++) {
                    hostile.next(connection);
                    String key = "good-" + trial.random().nextInt(KEYS);
                    good.computeIfAbsent(key, k -> new ArrayList<>()).add(append(connection, key, i));
                }
            }
            trial.say(hostile.taken() + " hostile statements taken, " + hostile.refused() + " refused; " + rows
                    + " good events");

            TopicReader reader = trial.read(settings);
            Set<UUID> arrived = new HashSet<>();
            Await.until("every good event", Duration.ofMinutes(5), () -> {
                reader.read().forEach(message -> arrived.add(message.eventId()));
                return good.values().stream().allMatch(arrived::containsAll);
            });
            List<UUID> stream =
                    reader.read().stream().map(Delivered::eventId).distinct().toList();
            good.forEach((key, ids) -> assertThat(stream.stream().filter(new HashSet<>(ids)::contains))
                    .as(key)
                    .containsExactlyElementsOf(ids));
            RelayStatus status = trial.database().status(settings.relay()).orElseThrow();
            trial.say("parked " + status.parked() + ", dead " + status.dead());
            assertThat(process.isAlive()).isTrue();
            trial.end(process);
        }
    }

    private static DataSource producer(Trial trial) throws SQLException {
        String role = trial.database().name() + "_producer";
        trial.database().execute("create role " + role + " login");
        try (Connection connection = trial.database().dataSource().getConnection()) {
            JournalSchema.grant(connection, DatabaseRoles.NONE.producer(role));
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(trial.database().url());
        source.setUser(role);
        return source;
    }

    private static UUID append(Connection producer, String key, int revision) throws SQLException {
        UUID id = UUID.fromString(EventIds.next());
        try (PreparedStatement row = producer.prepareStatement(
                "insert into waybill.event (id, type, aggregate_type, aggregate_id, payload) values (?, 'good', 'Order', ?, ?::json)")) {
            row.setObject(1, id);
            row.setString(2, key);
            row.setString(3, "{\"n\":" + revision + "}");
            row.executeUpdate();
        }
        return id;
    }
}
