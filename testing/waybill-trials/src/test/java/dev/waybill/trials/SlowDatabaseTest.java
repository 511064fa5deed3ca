package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Delay of every request to the database. */
@Tag("full")
class SlowDatabaseTest {
    private static final String FILL = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload)
            select 'T', 'Thing', 'k' || g % 100, '{}' from generate_series(1, 1000) g""";

    @ParameterizedTest
    @ValueSource(ints = {200, 500, 900})
    void a_relay_on_a_slow_database_publishes_though_slowly_and_in_one_session(int millis) throws Exception {
        InMemoryDestination destination = new InMemoryDestination();
        try (PostgresServer server = PostgresServer.start();
                ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String database = server.createDatabase("slow");
            try (Connection connection = server.dataSource(database).getConnection();
                    Statement statement = connection.createStatement()) {
                JournalSchema.create(connection);
                statement.execute(FILL);
            }
            inBackground(() -> accept(proxy, server.port(), millis));
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl("jdbc:postgresql://127.0.0.1:" + proxy.getLocalPort() + "/" + database
                    + "?sslmode=disable&gssEncMode=disable");
            source.setUser("postgres");
            try (Relay relay = Relay.named("slow")
                    .from(PostgresJournal.on(source))
                    .to(destination)
                    .start()) {
                Await.until(
                        "all events",
                        Duration.ofMinutes(3),
                        () -> relay.statistics().published() == 1_000);
                assertThat(relay.statistics().sessions()).isEqualTo(1);
            }
        }
    }

    private static void accept(ServerSocket proxy, int port, int millis) {
        try {
            while (true) {
                Socket client = proxy.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                inBackground(() -> pump(client, server, millis));
                inBackground(() -> pump(server, client, 0));
            }
        } catch (IOException e) {
            // The proxy was closed.
        }
    }

    private static void pump(Socket from, Socket to, int millis) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] some = new byte[65_536];
            for (int read = in.read(some); read >= 0; read = in.read(some)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
                out.write(some, 0, read);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("One side has gone.", e);
        }
    }

    private static void inBackground(Runnable work) {
        Thread thread = new Thread(work, "slow-proxy");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((gone, e) -> {});
        thread.start();
    }
}
