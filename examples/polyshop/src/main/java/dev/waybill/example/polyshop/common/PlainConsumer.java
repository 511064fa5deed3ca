package dev.waybill.example.polyshop.common;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.telemetry.tracing.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** Runs a service that only consumes, without a framework. Its tables are in {@code polyshop/NAME.sql}. */
public final class PlainConsumer {
    private PlainConsumer() {}

    /**
     * @param types of the events it handles, each on a topic of the same name
     * @param handler called once for each event, in the transaction that records it as processed
     */
    public static void run(String name, List<String> types, EventHandler<Connection> handler)
            throws IOException, SQLException, InterruptedException {
        PlainLogs.configure();
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl(environment("DATABASE_URL"));
        database.setMaximumPoolSize(8);
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.processedEvents(name));
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            inbox.create(connection);
            statement.execute(script(name));
        }
        OpenTelemetry telemetry = PlainTelemetry.of(name);
        Map<String, String> kafka = Map.of("bootstrap.servers", environment("KAFKA"));
        ConsumerPlan<Connection> plan = EventConsumer.named(name, inbox, JdbcTransactions.on(database))
                .from(KafkaSource.of(kafka, name, types), MessageReader.envelope())
                .deadLettersTo(KafkaDestination.of(kafka))
                .listener(Tracing.of(telemetry).consumer("kafka"))
                .listener(new EventLog());
        for (String type : types) {
            plan = plan.on(type, handler);
        }
        CountDownLatch ended = new CountDownLatch(1);
        try (EventConsumer consumer = plan.start()) {
            Runtime.getRuntime().addShutdownHook(new Thread(consumer::close, "stop"));
            LoggerFactory.getLogger(PlainConsumer.class).info("{} is ready", name);
            ended.await();
        }
    }

    private static String environment(String name) {
        return Objects.requireNonNull(System.getenv(name), () -> "the environment variable " + name + " is not set");
    }

    private static String script(String name) throws IOException {
        try (InputStream sql = PlainConsumer.class.getResourceAsStream("/polyshop/" + name + ".sql")) {
            return new String(Objects.requireNonNull(sql, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
