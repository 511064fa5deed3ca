package dev.waybill.testkit.random;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** What all writers of a run share. */
public final class Scene {
    private final DataSource dataSource;
    private final Load load;
    private final ServerGate gate;
    private final WriterLog log = new WriterLog();
    private final AtomicInteger rollbacks = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private volatile boolean writing = true;
    private volatile boolean commitsHeld;

    Scene(DataSource dataSource, Load load, ServerGate gate) {
        this.dataSource = dataSource;
        this.load = load;
        this.gate = gate;
    }

    Load load() {
        return load;
    }

    ServerGate gate() {
        return gate;
    }

    WriterLog log() {
        return log;
    }

    boolean writing() {
        return writing;
    }

    void stopWriting() {
        writing = false;
    }

    /** While held, every transaction ends with a rollback, so that nothing flushes the log. */
    boolean commitsHeld() {
        return commitsHeld;
    }

    void holdCommits(boolean held) {
        commitsHeld = held;
    }

    AtomicInteger rollbacks() {
        return rollbacks;
    }

    /** The most transactions that were seen in progress at once. */
    AtomicInteger mostOpen() {
        return mostOpen;
    }

    /** A connection in a transaction that does not wait long for a lock: long transactions may hold it. */
    Connection connect() throws SQLException {
        Connection connection = dataSource.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout = '150ms'");
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Lets the writers work for so long. */
    public static void watch(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    public static void pause(Random random, int maxMicros) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(maxMicros + 1)));
    }
}
