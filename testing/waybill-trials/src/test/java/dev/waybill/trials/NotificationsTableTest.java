package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.Format;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.route.Route;
import dev.waybill.trials.Messages.Message;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * {@code EventOutbox} of the notification producer, created and filled with plain SQL and relayed to Kafka; checks
 * every column afterwards.
 */
class NotificationsTableTest {
    private static final String COLUMNS = """
             (
                event_id varchar(255) primary key,
                event_type varchar(255) not null,
                aggregate_type varchar(255) not null,
                aggregate_id bigint not null,
                status varchar(50) not null,
                payload json not null,
                created_at %1$s not null,
                published_at %1$s null)""";

    /** What differs between databases. */
    private record Database(DataSource dataSource, String table, String timeType, String now, String topics) {}

    @Test
    void on_postgresql() throws Exception {
        rowsAreProcessedOrFailed(new Database(
                TableScene.onPostgres(), "\"EventOutbox\"", "timestamp", "timezone('utc', now())", "postgresql"));
    }

    @Test
    void on_mariadb() throws Exception {
        rowsAreProcessedOrFailed(
                new Database(TableScene.onMariaDb(), "EventOutbox", "datetime(6)", "utc_timestamp(6)", "mariadb"));
    }

    private static void rowsAreProcessedOrFailed(Database database) throws Exception {
        String restaurant = database.topics + ".notification.restaurant";
        String customer = database.topics + ".notification.customer";
        Route route = Route.byAggregateType(Map.of("RESTAURANT", restaurant, "CUSTOMER", customer));
        Topics.make(List.of(restaurant));
        try (TableScene scene = new TableScene(
                database.dataSource, TableLayout.notifications(), database.table, Format.notification())) {
            scene.create(
                    "create table " + database.table + COLUMNS.formatted(database.timeType),
                    "create index idx_status_created on " + database.table + " (status, created_at)");
            scene.append(
                    insert(database.table, "evt-123-456", "RESTAURANT", 5, 1),
                    insert(database.table, "evt-late", "CUSTOMER", 6, 2),
                    insert(database.table, "evt-behind", "CUSTOMER", 6, 3),
                    insert(database.table, "evt-courier", "COURIER", 7, 4));
            scene.startRelay(TableScene.PATIENT, route);

            scene.await("evt-courier", "status", "FAILED");
            scene.await("evt-123-456", "status", "PROCESSED");
            assertMessage(Messages.on(restaurant));
            scene.assertChanged("evt-123-456", "status", "published_at");
            scene.assertChanged("evt-courier", "status");
            assertThat(scene.parked("evt-courier").error())
                    .hasValueSatisfying(error -> assertThat(error).contains("it has topics for CUSTOMER, RESTAURANT"));
            scene.assertUnchanged("evt-late");
            scene.assertUnchanged("evt-behind");

            Topics.make(List.of(customer));
            scene.await("evt-behind", "status", "PROCESSED");
            scene.assertChanged("evt-late", "status", "published_at");
            scene.assertChanged("evt-behind", "status", "published_at");
            assertThat(Messages.on(customer))
                    .extracting(message -> message.headers().get("event-id"))
                    .containsExactly("evt-late", "evt-behind");
            assertThat(scene.count("published_at between created_at and " + database.now))
                    .isEqualTo(3);
        }
    }

    private static String insert(String table, String id, String aggregateType, int aggregateId, int micros) {
        return ("insert into %s (event_id, event_type, aggregate_type, aggregate_id, status, payload, created_at) values"
                        + " ('%s', 'RESERVATION_REQUESTED', '%s', %d, 'PENDING', ' { \"guests\" : 4.0 }',"
                        + " '2026-11-01 08:30:00.00000%d')")
                .formatted(table, id, aggregateType, aggregateId, micros);
    }

    private static void assertMessage(List<Message> messages) {
        assertThat(messages).singleElement().satisfies(message -> {
            assertThat(message.key()).isEqualTo("5");
            assertThat(message.text())
                    .isEqualTo(
                            "{\"event_id\":\"evt-123-456\",\"event_type\":\"RESERVATION_REQUESTED\","
                                    + "\"aggregate_type\":\"RESTAURANT\",\"aggregate_id\":5,\"payload\": { \"guests\" : 4.0 }}");
        });
    }
}
