package dev.waybill.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * The installed MariaDB (Debian's mariadb-server-core) with its own data directory, on a free loopback port, and durable as in
 * production, with the server's default character set and collation. Its directory and process are removed by {@link #close()} and
 * when the JVM exits; those of a killed JVM are removed by the next start. Check {@link #isInstalled()} first.
 *
 * <p>Safe for use by many threads, except that stop, restart and close must not run concurrently.
 */
public final class MariaDbServer implements AutoCloseable {
    private static final String USER = "root";
    private static final Path SERVER = Path.of("/usr/sbin/mariadbd");
    private static final Path INSTALL = Path.of("/usr/bin/mariadb-install-db");
    private static final Path PRINT_DEFAULTS = Path.of("/usr/bin/my_print_defaults");
    private static final Duration START_WAIT = Duration.ofSeconds(90);

    private final ServerDirectory directory = ServerDirectory.create("mariadb");
    private final int port = FreePort.choose();
    private final Map<String, String> settings;
    private final AtExit closeAtExit = AtExit.run(this::close);
    private final AtomicInteger databases = new AtomicInteger();
    private @Nullable ServerProcess process;

    private MariaDbServer(Map<String, String> settings) {
        this.settings = settings;
    }

    /** Whether the programs are installed; otherwise tests that need them are skipped. */
    public static boolean isInstalled() {
        return Files.isExecutable(SERVER) && Files.isExecutable(INSTALL) && Files.isExecutable(PRINT_DEFAULTS);
    }

    public static MariaDbServer start() {
        return start(Map.of());
    }

    /** @param extraSettings as in my.cnf; they override the defaults, except for address and durability */
    public static MariaDbServer start(Map<String, String> extraSettings) {
        if (!isInstalled()) {
            throw new EmbeddedServerException("MariaDB is not installed (" + SERVER + ", " + INSTALL + " and "
                    + PRINT_DEFAULTS + " are needed): install mariadb-server-core and mariadb-client-core.");
        }
        ServerDirectory.sweepOrphans();
        MariaDbServer server = new MariaDbServer(settings(extraSettings));
        try {
            server.initialise();
            server.restart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private static Map<String, String> settings(Map<String, String> extra) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("max_connections", "300");
        settings.put("innodb_buffer_pool_size", "128M");
        settings.put("default_time_zone", "+00:00");
        settings.putAll(extra);
        settings.put("bind_address", "127.0.0.1");
        settings.put("skip_name_resolve", "ON");
        settings.put("innodb_flush_log_at_trx_commit", "1");
        settings.put("innodb_doublewrite", "ON");
        return settings;
    }

    private void initialise() {
        try {
            String program = SERVER + " " + Files.size(SERVER) + " " + Files.getLastModifiedTime(SERVER);
            DataTemplate.of("mariadb", program).copyTo(directory, this::install);
        } catch (IOException e) {
            throw failed("its data directory could not be created: " + e.getMessage());
        }
    }

    private void install(ServerDirectory empty) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                INSTALL.toString(),
                "--no-defaults",
                "--datadir=" + empty.data(),
                "--tmpdir=" + empty.temporary(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db"));
        words.addAll(user());
        int exitCode =
                Command.of(words.toArray(String[]::new)).writingTo(empty.log()).exitCode();
        if (exitCode != 0) {
            throw new IOException(
                    "mariadb-install-db ended with " + exitCode + System.lineSeparator() + empty.endOfLog());
        }
    }

    /** As root it needs an explicit user. */
    private List<String> user() {
        return directory.ownedByRoot() ? List.of("--user=root") : List.of();
    }

    public int port() {
        return port;
    }

    public String jdbcUrl(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=" + USER;
    }

    /** Opens a new connection each time. */
    public DataSource dataSource(String database) {
        try {
            return new MariaDbDataSource(jdbcUrl(database));
        } catch (SQLException e) {
            throw new EmbeddedServerException(
                    "The address of database " + database + " is wrong: " + e.getMessage(), e);
        }
    }

    /** @return the name of a new, empty database */
    public String createDatabase(String prefix) {
        String name = DatabaseName.next(prefix, databases);
        try (Connection connection = dataSource("").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException e) {
            throw new EmbeddedServerException(
                    "Database " + name + " could not be created on port " + port + ": " + e.getMessage(), e);
        }
        return name;
    }

    /** @throws EmbeddedServerException if it is stopped */
    public synchronized long pid() {
        if (process == null) {
            throw new EmbeddedServerException(
                    "MariaDB on port " + port + " is stopped and has no process; restart() starts it again.");
        }
        return process.pid();
    }

    /** Stops the server normally, and returns when its process has ended. */
    public synchronized void stop() {
        if (process != null) {
            process.end("TERM");
            process = null;
        }
    }

    /** Kills the server, and returns when its process has ended. */
    public synchronized void stopImmediately() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** Starts the stopped server on the same directory and port; returns when it has recovered and accepts connections. */
    public synchronized void restart() {
        if (process != null) {
            throw new EmbeddedServerException("MariaDB on port " + port + " is running already; stop it first.");
        }
        List<String> words = new ArrayList<>(List.of(
                SERVER.toString(),
                "--no-defaults",
                "--datadir=" + directory.data(),
                "--tmpdir=" + directory.temporary(),
                "--port=" + port,
                // Relative to the data directory, because a full path may be too long for a socket.
                "--socket=mariadb.sock",
                "--pid-file=mariadb.pid"));
        settings.forEach((name, value) -> words.add("--" + name + "=" + value));
        words.addAll(user());
        ServerProcess started = ServerProcess.start(directory, new ProcessBuilder(words));
        process = started;
        try {
            awaitConnection(started);
        } catch (RuntimeException e) {
            stopImmediately();
            throw e;
        }
    }

    private void awaitConnection(ServerProcess started) {
        DataSource source = dataSource("");
        long deadline = System.nanoTime() + START_WAIT.toNanos();
        while (true) {
            try {
                source.getConnection().close();
                return;
            } catch (SQLException e) {
                if (!started.isRunning() || System.nanoTime() - deadline > 0) {
                    throw failed("it accepted no connection: " + e.getMessage());
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    private EmbeddedServerException failed(String why) {
        return new EmbeddedServerException("MariaDB did not start on port " + port + ": " + why
                + ". The last lines of its log:" + System.lineSeparator() + directory.endOfLog());
    }

    @Override
    public synchronized void close() {
        stopImmediately();
        directory.delete();
        closeAtExit.cancel();
    }
}
