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

/** State shared by all writers of a run. */
public final class Scene {
    private static final int MANY = 64;

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

    /** While this is held, every transaction is rolled back, so that nothing flushes the WAL. */
    boolean commitsHeld() {
        return commitsHeld;
    }

    void holdCommits(boolean held) {
        commitsHeld = held;
    }

    AtomicInteger rollbacks() {
        return rollbacks;
    }

    /** Maximum number of transactions observed in progress at the same time. */
    AtomicInteger mostOpen() {
        return mostOpen;
    }

    /** Until then no long one ends, so that a busy machine, which begins them slowly, still has many open at once. */
    boolean manyWereOpen() {
        return load.longTransactions() <= MANY || mostOpen.get() > MANY;
    }

    /** A connection in a transaction with a short lock timeout, because long transactions may hold the lock. */
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

    /** Lets the writers run for this time. */
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
