package dev.waybill.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The installed PgBouncer (Debian's pgbouncer) in front of a {@link PostgresServer}, on a free loopback port. Its directory and
 * process are removed by {@link #close()} and when the JVM exits; those of a killed JVM are removed by the next start of a server.
 * Check {@link #isInstalled()} first.
 */
public final class PgBouncer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");
    private static final Duration START_WAIT = Duration.ofSeconds(30);

    private final ServerDirectory directory = ServerDirectory.create("pgbouncer");
    private final int port = FreePort.choose();
    private final AtExit closeAtExit = AtExit.run(this::close);
    private final ServerProcess process;

    /** How long a client keeps the server connection it was given. */
    public enum Mode {
        SESSION,
        TRANSACTION
    }

    private PgBouncer(PostgresServer server, Mode mode) {
        try {
            Path settings = Files.writeString(directory.root().resolve("pgbouncer.ini"), settings(server, mode));
            String[] run = {PROGRAM.toString(), settings.toString()};
            process = ServerProcess.start(
                    directory,
                    new ProcessBuilder(
                            directory.ownedByRoot()
                                    ? Stream.concat(Stream.of("unshare", "-U"), Stream.of(run))
                                            .toList()
                                    : Stream.of(run).toList()));
            awaitListening();
        } catch (IOException | RuntimeException e) {
            EmbeddedServerException failed = new EmbeddedServerException(
                    "PgBouncer did not start on port " + port + ": " + e.getMessage() + System.lineSeparator()
                            + directory.endOfLog(),
                    e);
            directory.killProcesses();
            directory.delete();
            throw failed;
        }
    }

    /** Whether the programs are installed; otherwise tests that need them are skipped. */
    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    public static PgBouncer start(PostgresServer server, Mode mode) {
        return new PgBouncer(server, mode);
    }

    /** Java's driver sends extra_float_digits when it connects, which PgBouncer must ignore. */
    private String settings(PostgresServer server, Mode mode) {
        return """
                [databases]
                * = host=127.0.0.1 port=%d user=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = %s
                default_pool_size = 5
                ignore_startup_parameters = extra_float_digits
                """.formatted(server.port(), port, mode.name().toLowerCase(Locale.ROOT));
    }

    /** Opens a new connection each time. */
    public DataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        // A named prepared statement exists in one server connection only.
        source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres&prepareThreshold=0");
        return source;
    }

    private void awaitListening() {
        long deadline = System.nanoTime() + START_WAIT.toNanos();
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (!process.isRunning() || System.nanoTime() - deadline > 0) {
                    throw new EmbeddedServerException("It accepted no connection: " + e.getMessage(), e);
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    @Override
    public synchronized void close() {
        directory.killProcesses();
        directory.delete();
        closeAtExit.cancel();
    }
}
