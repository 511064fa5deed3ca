package dev.waybill.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.cli.JournalScene;
import dev.waybill.server.config.Installation;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import dev.waybill.testkit.SharedPostgres;
import io.micrometer.core.instrument.MockClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessMetricsTest {
    private final MockClock clock = new MockClock();

    @TempDir
    private Path directory;

    /** After a slow reading the next one is not soon: meanwhile nobody would notice that the store went down. */
    @Test
    void values_of_a_store_that_was_slow_are_gone_after_a_minute() throws Exception {
        JournalScene journal = JournalScene.create(SharedPostgres.server());
        journal.open("main").close();
        Installation installation = Installation.read(Files.writeString(
                directory.resolve("waybill.yaml"), """
                stores:
                  orders: { type: postgres-journal, url: "%s", user: postgres }
                destinations:
                  away: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
                relays:
                  main: { store: orders, destination: away }
                """.formatted(journal.url().replaceFirst("[?].*", ""))));
        ProcessMetrics metrics = new ProcessMetrics(clock);
        try (installation;
                metrics;
                Connection connection = journal.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table waybill.relay in access exclusive mode");
            metrics.watch(installation);
            Await.until(
                    "the reading waits",
                    () -> journal.number("select count(*) from pg_locks where not granted and relation ="
                                    + " 'waybill.relay'::regclass")
                            > 0);
            clock.add(Duration.ofSeconds(8));
            connection.commit();
            Await.until("it is read", () -> value(metrics, "waybill_store_up") == 1);
            assertThat(value(metrics, "waybill_store_backlog")).isZero();
            clock.add(Duration.ofSeconds(61));
            assertThat(value(metrics, "waybill_store_up")).isZero();
            assertThat(value(metrics, "waybill_store_backlog")).isNaN();
        }
    }

    private double value(ProcessMetrics metrics, String name) {
        clock.add(Duration.ofSeconds(1).plusNanos(1));
        return Exposition.parse(new String(metrics.text(), StandardCharsets.UTF_8))
                .value(name, "store", "orders");
    }
}
