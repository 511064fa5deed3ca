package dev.waybill.demo;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An ordinary service: several threads change orders, each change and its event in one transaction that first locks the order's
 * row. One transaction in ten is rolled back.
 */
final class OrderService implements AutoCloseable {
    static final String SCHEMA =
            "create table orders (id text primary key, revision bigint not null, status text not null, total numeric not null)";

    private static final String LOCK = """
            insert into orders (id, revision, status, total) values (?, 1, 'placed', ?)
            on conflict (id) do update set revision = orders.revision + 1, status = 'changed', total = excluded.total
            returning revision""";
    private static final int THREADS = 4;
    private static final int ORDERS = 500;

    private final Shop shop;
    private final JdbcOutbox outbox;
    private final long goal;
    private final int rate;
    private final AtomicLong claimed = new AtomicLong();
    private final AtomicLong appended = new AtomicLong();
    private final AtomicLong rolledBack = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;
    private volatile @Nullable String problem;

    /** The event of a changed order. */
    record OrderChanged(String orderId, long revision, String status, String total, String note) {}

    /**
     * @param goal events to append; 0 for no end
     * @param rate events per second; 0 for no limit
     */
    OrderService(Shop shop, long goal, int rate) {
        this.shop = shop;
        this.goal = goal;
        this.rate = rate;
        this.outbox = JdbcOutbox.journal();
    }

    void start() {
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> work(new Random(number)), "order-service-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void work(Random random) {
        long begun = System.nanoTime();
        long done = 0;
        try (Connection connection = shop.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            while (!stopping && takeOne()) {
                changeOrder(connection, random);
                done++;
                if (rate > 0) {
                    long dueAt = begun + TimeUnit.SECONDS.toNanos(done) * THREADS / rate;
                    LockSupport.parkNanos(dueAt - System.nanoTime());
                }
            }
        } catch (SQLException e) {
            problem = "the order service failed: " + e.getMessage();
        }
    }

    private boolean takeOne() {
        return goal == Demo.ENDLESS || claimed.getAndIncrement() < goal;
    }

    private void changeOrder(Connection connection, Random random) throws SQLException {
        while (random.nextInt(10) == 0) {
            append(connection, random);
            connection.rollback();
            rolledBack.incrementAndGet();
        }
        append(connection, random);
        connection.commit();
        appended.incrementAndGet();
    }

    private void append(Connection connection, Random random) throws SQLException {
        String orderId = "order-" + random.nextInt(ORDERS);
        String total = (10 + random.nextInt(500)) + ".90";
        long revision;
        try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
            statement.setString(1, orderId);
            statement.setBigDecimal(2, new java.math.BigDecimal(total));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                revision = row.getLong(1);
            }
        }
        String what = revision == 1 ? "placed" : "changed";
        outbox.append(
                connection,
                Event.of("order.order." + what + ".v1")
                        .aggregate("Order", orderId)
                        .payload(Payload.jsonOf(
                                new OrderChanged(orderId, revision, what, total, "delivered by Waybill")))
                        .aggregateVersion(revision));
    }

    long appended() {
        return appended.get();
    }

    long rolledBack() {
        return rolledBack.get();
    }

    boolean isDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** Why it failed. */
    @Nullable String problem() {
        return problem;
    }

    @Override
    public void close() {
        stopping = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
