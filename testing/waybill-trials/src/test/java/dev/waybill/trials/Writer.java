package dev.waybill.trials;

import dev.waybill.AppendException;
import dev.waybill.Event;
import dev.waybill.EventIds;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * One transaction after another: locks some aggregates, counts up their revisions and appends an event for each. Some
 * transactions roll back, some stay open for a while. When the server is gone it waits for it.
 */
final class Writer implements Callable<Void> {
    private static final String CHANGE = """
            insert into aggregate (key, revision) values (?, 1)
            on conflict (key) do update set revision = aggregate.revision + 1 returning revision""";
    private static final int AGGREGATES = 150;
    private static final int ROLLBACK_PERCENT = 15;
    private static final int LONG_PERCENT = 2;
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Workload workload;
    private final DataSource dataSource;
    private final Random random;
    private final int rate;
    private final JdbcOutbox outbox = JdbcOutbox.journal();
    private long begun;
    private long done;

    Writer(Workload workload, DataSource dataSource, long seed, int rate) {
        this.workload = workload;
        this.dataSource = dataSource;
        this.random = new Random(seed);
        this.rate = rate;
    }

    @Override
    public Void call() {
        while (!workload.isStopping()) {
            try (Connection connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                begun = System.nanoTime();
                done = 0;
                while (!workload.isStopping()) {
                    transaction(connection);
                    keepPace();
                }
            } catch (SQLException e) {
                LockSupport.parkNanos(RECONNECT_NANOS);
            }
        }
        return null;
    }

    private void keepPace() {
        done++;
        long ahead = begun + TimeUnit.SECONDS.toNanos(done) / rate - System.nanoTime();
        LockSupport.parkNanos(ahead);
    }

    private void transaction(Connection connection) throws SQLException {
        List<UUID> events = new ArrayList<>();
        try {
            appendSome(connection, events);
            if (random.nextInt(100) < LONG_PERCENT) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(200)));
            }
            if (random.nextInt(100) < ROLLBACK_PERCENT) {
                connection.rollback();
                workload.log().failed(events);
                return;
            }
        } catch (SQLException | AppendException e) {
            workload.log().failed(events);
            throw e instanceof SQLException sql ? sql : new SQLException(e);
        }
        try {
            connection.commit();
            workload.log().ok(events);
        } catch (SQLException e) {
            workload.log().unknown(events);
            throw e;
        }
    }

    /** Sorted, so that two transactions do not wait for each other. */
    private void appendSome(Connection connection, List<UUID> events) throws SQLException {
        TreeSet<String> keys = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            keys.add(Workload.TYPES.get(random.nextInt(Workload.TYPES.size())) + ":" + random.nextInt(AGGREGATES));
        }
        for (String key : keys) {
            long revision = change(connection, key);
            String id = EventIds.next();
            events.add(UUID.fromString(id));
            String[] aggregate = key.split(":", 2);
            outbox.append(
                    connection,
                    Event.of("aggregate.changed.v1")
                            .aggregate(aggregate[0], aggregate[1])
                            .payload(Payload.json(
                                    "{\"revision\":" + revision + ",\"note\":\"" + "x".repeat(200) + "\"}"))
                            .id(id)
                            .aggregateVersion(revision));
        }
    }

    private static long change(Connection connection, String key) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CHANGE)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
