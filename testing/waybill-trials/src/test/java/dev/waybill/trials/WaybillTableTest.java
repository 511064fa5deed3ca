package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.format.Format;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.trials.Messages.Message;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Waybill's own table layout, created manually and filled with plain SQL, relayed to Kafka; checks every column
 * afterwards.
 */
class WaybillTableTest {
    private static final String COLUMNS = """
            create table waybill_event (
                seq bigint %1$s primary key,
                id varchar(255) not null unique,
                type varchar(255) not null,
                version int not null default 1,
                aggregate_type varchar(255) not null,
                aggregate_id varchar(1000) not null,
                aggregate_version bigint null,
                topic varchar(255) null,
                event_key varchar(1000) null,
                payload %2$s null,
                payload_bytes %3$s null,
                content_type varchar(255) null,
                headers %2$s null,
                created_at %4$s not null default %5$s,
                status varchar(50) not null default 'PENDING',
                published_at %4$s null,
                attempts int not null default 0,
                next_attempt_at %4$s null,
                locked_by varchar(255) null,
                locked_until %4$s null,
                last_error text null,
                last_error_at %4$s null)""";

    @Test
    void on_postgresql() throws Exception {
        String table =
                COLUMNS.formatted("generated always as identity", "text", "bytea", "timestamptz", "clock_timestamp()");
        rowsArePublishedOrDead(TableScene.onPostgres(), table, "postgresql");
    }

    @Test
    void on_mariadb() throws Exception {
        String table =
                COLUMNS.formatted("auto_increment", "longtext", "longblob", "timestamp(6)", "current_timestamp(6)");
        rowsArePublishedOrDead(TableScene.onMariaDb(), table, "mariadb");
    }

    private static void rowsArePublishedOrDead(DataSource dataSource, String table, String topics) throws Exception {
        Topics.make(List.of(topics + ".good"));
        Route route = event -> {
            Address address = Route.storedTopic().addressOf(event);
            return new Address(topics + "." + address.topic(), address.key());
        };
        try (TableScene scene = new TableScene(dataSource, TableLayout.waybill(), "waybill_event", Format.raw())) {
            scene.create(table);
            scene.append(
                    insert("one", "o-1", "'good'"),
                    insert("two", "o-2", "'late'"),
                    insert("three", "o-2", "'good'"),
                    insert("four", "o-3", "null"));
            scene.startRelay(TableScene.PATIENT, route);

            scene.await("four", "status", "DEAD");
            scene.await("one", "status", "PUBLISHED");
            scene.awaitFilled("two", "last_error");
            assertMessage(Messages.on(topics + ".good"));
            scene.assertChanged("one", "status", "published_at");
            scene.assertChanged("four", "status", "last_error", "last_error_at");
            scene.assertError("four", "last_error", "has no stored topic");
            scene.assertChanged("two", "attempts", "last_error", "last_error_at", "next_attempt_at");
            scene.assertUnchanged("three");

            Topics.make(List.of(topics + ".late"));
            scene.await("three", "status", "PUBLISHED");
            scene.assertChanged("two", "status", "published_at", "attempts", "last_error", "last_error_at");
            scene.assertChanged("three", "status", "published_at");
            assertThat(scene.count("status = 'PUBLISHED' and published_at >= created_at"))
                    .isEqualTo(3);
        }
    }

    private static String insert(String id, String aggregateId, String topic) {
        return "insert into waybill_event (id, type, aggregate_type, aggregate_id, topic, payload, headers) values"
                + " ('%s', 'order.placed', 'Order', '%s', %s, '%s', '{\"tenant\":\"t\"}')"
                        .formatted(id, aggregateId, topic, TableScene.PAYLOAD);
    }

    private static void assertMessage(List<Message> messages) {
        assertThat(messages).singleElement().satisfies(message -> {
            assertThat(message.text()).isEqualTo(TableScene.PAYLOAD);
            assertThat(message.headers())
                    .isEqualTo(Map.of(
                            "event-id", "one",
                            "event-type", "order.placed",
                            "content-type", "application/json",
                            "tenant", "t"));
        });
    }
}
