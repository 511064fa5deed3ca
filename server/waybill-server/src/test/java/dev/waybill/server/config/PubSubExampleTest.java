package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayListener;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The relay of pubsub.yaml, set only by the variables of its document, with a destination that always answers Retry. */
class PubSubExampleTest {
    private static final String RELAY = "outbox-to-pubsub";
    private static final String TOPIC = "pf-domain-events";
    private static final String STUCK = "00000000-0000-7000-8000-00000000000a";
    private static final String OTHER = "00000000-0000-7000-8000-00000000000b";
    private static final String TABLE = """
            create table outbox_events (
                id uuid primary key,
                event_type varchar(255) not null,
                aggregate_type varchar(255) not null,
                aggregate_id varchar(255) not null,
                payload_json json not null,
                created_at timestamptz not null default now(),
                published_at timestamptz,
                attempt_count integer not null default 0,
                last_error text)""";

    private final String database = SharedPostgres.server().createDatabase("packfinderz");
    private final DataSource dataSource = SharedPostgres.server().dataSource(database);
    private final InMemoryDestination broker = new InMemoryDestination();
    private final List<Integer> walked = new CopyOnWriteArrayList<>();

    @Test
    void a_row_walks_to_its_last_attempt_and_stays() throws Exception {
        walk(Map.of(
                "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "50",
                "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "20",
                "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "25",
                "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", TOPIC));
    }

    @Test
    @Tag("full")
    void a_row_walks_to_its_last_attempt_with_the_defaults_of_the_document_and_stays() throws Exception {
        walk(Map.of());
    }

    private void walk(Map<String, String> variables) throws Exception {
        execute(TABLE);
        try (Installation installation = ExampleFilesTest.read("pubsub", withDatabase(variables))) {
            installation.init("outbox");
            broker.failTopic(TOPIC, Integer.MAX_VALUE, new Delivery.Retry("quota exceeded"));
            execute(insert(STUCK, "l-1"));
            Relay relay = start(installation);
            try (relay) {
                Await.until("the last attempt", () -> walked.contains(25));
                broker.forgetFaults();
                execute(insert(OTHER, "l-2"));
                Await.until("the other row", () -> !broker.delivered().isEmpty());
            }
        }
        assertThat(walked)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 25).boxed().toList());
        assertThat(broker.delivered())
                .extracting(message -> message.event().id().toString())
                .containsExactly(OTHER);
        assertThat(text("select attempt_count || ' ' || last_error from outbox_events where published_at is null"))
                .startsWith("25 ")
                .contains("quota exceeded");
    }

    private Relay start(Installation installation) {
        return Relay.named(RELAY)
                .from(installation.store("outbox"))
                .to(broker)
                .route(installation.route(RELAY))
                .options(installation.options(RELAY))
                .listener(new RelayListener() {
                    @Override
                    public void retried(RelayName name, StoredEvent event, String error, Instant at, boolean counted) {
                        recordAttempts();
                    }

                    @Override
                    public void dead(RelayName name, StoredEvent event, String error) {
                        recordAttempts();
                    }
                })
                .start();
    }

    private void recordAttempts() {
        try {
            walked.add(Integer.valueOf(text("select attempt_count from outbox_events where id = '" + STUCK + "'")));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, String> withDatabase(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("DB_HOST", "127.0.0.1");
        all.put("DB_PORT", Integer.toString(SharedPostgres.server().port()));
        all.put("DB_NAME", database);
        all.put("DB_USER", "postgres");
        return all;
    }

    private static String insert(String id, String licence) {
        return "insert into outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json) values ('" + id
                + "', 'license_status_changed', 'license', '" + licence
                + "', '{\"licenseId\": \"l\", \"storeId\": \"s\", \"status\": \"pending\"}')";
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
