package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.RelayName;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayListener;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** orders.yaml on a table of PostgreSQL: six sends, FAILED with its error and a log line, and requeued by the CLI. */
class OrdersExampleTest {
    private static final String RELAY = "outbox-to-kafka";
    private static final String ID = "00000000-0000-7000-8000-00000000000a";
    private static final String FAILURES = "dev.waybill.relay.FailureReport";
    private static final String NOBODY = "127.0.0.1:1";
    private static final Path EXAMPLE = Path.of("..", "..", "docs", "examples", "orders.yaml");
    private static final String TABLE = """
            create table outbox (
                id UUID primary key,
                aggregate_type VARCHAR(255) not null,
                aggregate_id UUID not null,
                event_type VARCHAR(255) not null,
                payload TEXT not null,
                status VARCHAR(50) not null,
                created_at TIMESTAMP not null,
                sent_at TIMESTAMP null,
                error_message TEXT null)""";

    @TempDir
    private Path directory;

    private final String database = SharedPostgres.server().createDatabase("orders");
    private final DataSource dataSource = SharedPostgres.server().dataSource(database);
    private final Cli cli = new Cli();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private @Nullable Relay relay;

    /** A broker with room for nothing, until it has room. It records when it was asked. */
    private static final class FullBroker implements Destination {
        private final List<Instant> sends = new CopyOnWriteArrayList<>();
        private final AtomicBoolean full = new AtomicBoolean(true);

        @Override
        public Guarantees guarantees() {
            return new Guarantees(Guarantees.KeyOrder.KEPT_IN_FLIGHT, 1_000_000);
        }

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            sends.add(Instant.now());
            Delivery answer = full.get() ? new Delivery.Retry("the disk is full") : Delivery.DELIVERED;
            return CompletableFuture.completedFuture(
                    batch.stream().map(message -> answer).toList());
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void create() throws Exception {
        execute(TABLE);
        execute("insert into outbox values ('" + ID + "', 'Order', '" + ID
                + "', 'OrderCreated', '{}', 'NEW', timezone('utc', clock_timestamp()))");
        log.start();
        ((Logger) LoggerFactory.getLogger(FAILURES)).addAppender(log);
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(FAILURES)).detachAppender(log);
        if (relay != null) {
            relay.close();
        }
    }

    @Test
    void o2_a_row_is_sent_six_times_with_the_pauses_of_the_document_then_failed_and_sent_after_a_requeue()
            throws Exception {
        FullBroker broker = new FullBroker();
        Path file = file(Map.of());
        try (Installation installation = Installation.read(file)) {
            relay = start(installation, broker);
            awaitStatus("FAILED");
            assertThat(broker.sends).hasSize(6);
            List<Integer> pauses = List.of(100, 200, 400, 800, 1_600);
            for (int i = 0; i < pauses.size(); i++) {
                assertThat(Duration.between(broker.sends.get(i), broker.sends.get(i + 1)))
                        .as("pause %d", i + 1)
                        .isGreaterThanOrEqualTo(Duration.ofMillis(pauses.get(i)));
            }
            assertThat(text("error_message")).contains("the disk is full");
            Await.until("the log line", () -> !errors().isEmpty());
            assertThat(errors().get(0))
                    .contains("event " + ID + " (OrderCreated), dead after 6 attempts (the disk is full)");

            broker.full.set(false);
            assertThat(requeue(file)).as(cli.err()).isZero();
            awaitStatus("SENT");
            relay.close();
        }
    }

    @Test
    void with_count_outages_a_row_is_failed_after_six_sends_to_a_kafka_that_is_away_and_new_after_a_requeue()
            throws Exception {
        Path file = file(Map.of("COUNT_OUTAGES", "true"));
        try (Installation installation = Installation.read(file)) {
            relay = installation.plan(RELAY).start();
            awaitStatus("FAILED");
            relay.close();
        }
        assertThat(text("error_message")).isNotBlank();
        assertThat(errors()).singleElement().satisfies(line -> assertThat(line).contains("dead after 6 attempts"));
        assertThat(requeue(file)).as(cli.err()).isZero();
        assertThat(text("status")).isEqualTo("NEW");
    }

    @Test
    void by_default_a_kafka_that_is_away_changes_no_row() throws Exception {
        List<String> unavailable = new CopyOnWriteArrayList<>();
        try (Installation installation = Installation.read(file(Map.of()))) {
            relay = installation
                    .plan(RELAY)
                    .listener(new RelayListener() {
                        @Override
                        public void unavailable(RelayName name, String error) {
                            unavailable.add(error);
                        }
                    })
                    .start();
            Await.until("an outage", () -> !unavailable.isEmpty());
            relay.close();
        }
        assertThat(text("status")).isEqualTo("NEW");
        assertThat(text("error_message")).isNull();
        assertThat(log.list).isEmpty();
    }

    private Relay start(Installation installation, Destination broker) throws SQLException {
        installation.init("outbox");
        return Relay.named(RELAY)
                .from(installation.store("outbox"))
                .to(broker)
                .options(installation.options(RELAY))
                .start();
    }

    private List<String> errors() {
        return List.copyOf(log.list).stream()
                .filter(line -> line.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private int requeue(Path file) {
        return cli.run("requeue", "--config", file.toString(), "--relay", RELAY, "--state", "DEAD", "--yes");
    }

    /** The example with the values of the variables, since a test cannot set variables of its process. */
    private Path file(Map<String, String> more) throws Exception {
        String text = Files.readString(EXAMPLE);
        Map<String, String> variables = Map.of(
                "DB_HOST",
                "127.0.0.1",
                "DB_PORT",
                Integer.toString(SharedPostgres.server().port()),
                "DB_NAME",
                database,
                "DB_USER",
                "postgres",
                "DB_PASSWORD",
                "unused-by-trust",
                "KAFKA_BOOTSTRAP_SERVERS",
                NOBODY,
                "KAFKA_DELIVERY_TIMEOUT_MS",
                "1000",
                "COUNT_OUTAGES",
                more.getOrDefault("COUNT_OUTAGES", "false"));
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            text = text.replaceAll("\\$\\{" + variable.getKey() + "(:-[^}]*)?}", variable.getValue());
        }
        Path file = Files.writeString(directory.resolve("waybill.yaml"), text);
        try (Installation installation = Installation.read(file)) {
            installation.init("outbox");
        }
        return file;
    }

    private void awaitStatus(String status) throws Exception {
        Await.until(status, () -> status.equals(text("status")));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String column) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + column + " from outbox")) {
            row.next();
            return row.getString(1);
        }
    }
}
