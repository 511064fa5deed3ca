package dev.waybill.jdbc.kernel;

import dev.waybill.spi.TlsFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes a connection from a data source, with a timeout: a server may accept and then never answer, and most drivers wait for it
 * without limit.
 */
public final class Connecting {
    /** Network timeout of a connection. */
    public static final int NETWORK_TIMEOUT_MILLIS = 30_000;

    /** How long connecting may take. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final String CANNOT_CONNECT = "08001";

    /** Limits the threads that a data source can block: one per attempt. */
    static final int MOST_AT_ONCE = 50;

    /** Attempts in progress by data source, compared by identity. */
    private static final IdentityHashMap<DataSource, Integer> UNDER_WAY = new IdentityHashMap<>();

    private Connecting() {}

    public static Connection to(DataSource dataSource) throws SQLException {
        return to(dataSource, PATIENCE);
    }

    /** Connects on a separate thread, which closes the connection if the caller has stopped waiting. */
    public static Connection to(DataSource dataSource, Duration patience) throws SQLException {
        // Applies from the first byte, so that the thread ends too.
        DataSource bounded = PostgresDriver.withSocketTimeout(dataSource, NETWORK_TIMEOUT_MILLIS / 1_000);
        CompletableFuture<Connection> attempt = new CompletableFuture<>();
        begin(dataSource);
        Thread thread = new Thread(
                () -> {
                    try {
                        connect(bounded, attempt);
                    } finally {
                        end(dataSource);
                    }
                },
                "waybill-connect");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (Throwable e) {
            end(dataSource);
            throw e;
        }
        try {
            return attempt.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (TimeoutException e) {
            SQLException late = new SQLTransientConnectionException(
                    "no connection within " + patience.toSeconds()
                            + " s; the server, or a pool in front of it, does not answer",
                    CANNOT_CONNECT,
                    e);
            return giveUp(attempt, thread, late);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(attempt, thread, new SQLException("interrupted while connecting", CANNOT_CONNECT, e));
        }
    }

    private static void begin(DataSource dataSource) throws SQLException {
        synchronized (UNDER_WAY) {
            int before = UNDER_WAY.getOrDefault(dataSource, 0);
            if (before >= MOST_AT_ONCE) {
                throw new SQLTransientConnectionException(
                        before + " attempts to connect through this data source are still waiting, and no more are made"
                                + " until one does; set a login timeout and a socket timeout in it",
                        CANNOT_CONNECT);
            }
            UNDER_WAY.put(dataSource, before + 1);
        }
    }

    private static void end(DataSource dataSource) {
        synchronized (UNDER_WAY) {
            UNDER_WAY.compute(dataSource, (same, count) -> count == null || count == 1 ? null : count - 1);
        }
    }

    private static void connect(DataSource dataSource, CompletableFuture<Connection> attempt) {
        try {
            Connection connection = dataSource.getConnection();
            if (!attempt.complete(connection)) {
                connection.close();
            }
        } catch (Throwable e) {
            attempt.completeExceptionally(e);
        }
    }

    /** @return the connection, if it arrived at the last moment */
    private static Connection giveUp(CompletableFuture<Connection> attempt, Thread thread, SQLException why)
            throws SQLException {
        if (attempt.completeExceptionally(why)) {
            thread.interrupt();
            throw why;
        }
        try {
            return attempt.join();
        } catch (CompletionException e) {
            throw rethrown(e.getCause());
        }
    }

    private static SQLException rethrown(@Nullable Throwable cause) {
        if (cause instanceof SQLException e) {
            return TlsFailure.of(e).map(failure -> inWords(failure, e)).orElse(e);
        }
        if (cause instanceof RuntimeException e) {
            throw e;
        }
        if (cause instanceof Error e) {
            throw e;
        }
        return new SQLException("connecting failed", CANNOT_CONNECT, cause);
    }

    /** Drivers report a failed handshake or an untrusted certificate path. */
    private static SQLException inWords(TlsFailure failure, SQLException e) {
        if (TlsFailure.advisesToTrustAll(e)) {
            return new SQLException(failure.what(), e.getSQLState(), e.getErrorCode());
        }
        return new SQLException(failure.what(), e.getSQLState(), e.getErrorCode(), e);
    }
}
