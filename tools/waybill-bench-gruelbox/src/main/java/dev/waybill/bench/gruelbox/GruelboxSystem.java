package dev.waybill.bench.gruelbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.ThreadLocalContextTransactionManager;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.MessageProducer;
import dev.waybill.bench.kit.SystemProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * gruelbox transaction-outbox: a call is stored in the transaction, made by a thread after the commit, and its row deleted by it.
 * A thread that flushes all the time finds the backlog. It promises no order.
 */
final class GruelboxSystem implements BenchSystem {
    private static final int FLUSH_BATCH = 4_096;

    /** New events are sent by the threads of their transactions; flushing is for those that failed. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private static final Duration DRAINING = Duration.ofMillis(100);
    private static final String COPY = """
            insert into txno_outbox (id, invocation, nextattempttime, attempts, blocked, version, processed)
            select gen_random_uuid()::text, o.invocation, o.nextattempttime, 0, false, 0, false
              from generate_series(1, ?) g cross join (select * from txno_outbox limit ?) o limit ?""";

    private final HikariDataSource pool;
    private final ThreadLocalContextTransactionManager transactions;
    private final MessageProducer producer;
    private final TransactionOutbox outbox;
    private final ThreadPoolExecutor threads;
    private volatile boolean sending;
    private volatile Duration pause = IDLE;
    private @Nullable Thread flushing;

    GruelboxSystem(Endpoints endpoints) throws IOException {
        int size = endpoints.handlers();
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(FLUSH_BATCH),
                new ThreadPoolExecutor.CallerRunsPolicy());
        this.pool = endpoints.pool(size + 8);
        this.transactions = TransactionManager.fromDataSource(pool);
        this.producer = new MessageProducer(endpoints);
        Submitter submitter = Submitter.withExecutor(threads);
        this.outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> new Sender(producer)))
                .submitter((entry, work) -> {
                    if (sending) {
                        submitter.submit(entry, work);
                    }
                })
                .flushBatchSize(FLUSH_BATCH)
                .attemptFrequency(Duration.ofMinutes(1))
                .build();
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(arguments, GruelboxSystem::new);
    }

    /** The call that is stored. gruelbox makes a subclass of it. */
    static class Sender {
        private final @Nullable MessageProducer producer;

        /** For gruelbox's subclass, which only notes calls. */
        @SuppressWarnings("unused") // called by reflection
        Sender() {
            this.producer = null;
        }

        Sender(MessageProducer producer) {
            this.producer = producer;
        }

        void send(String key, String value) throws Exception {
            if (producer != null) {
                producer.send(key, value).get();
            }
        }
    }

    @Override
    public String description() {
        return threads.getMaximumPoolSize() + " threads, a backlog flushed without pause in batches of " + FLUSH_BATCH
                + ", otherwise once a second, no order, each send awaited";
    }

    @Override
    public void prepare(int events) throws SQLException {
        pause = events > 0 ? DRAINING : IDLE;
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate txno_outbox");
            List<Business.Message> sample = Business.sample(connection, events);
            transactions.inTransaction(() -> sample.forEach(this::schedule));
            statement.execute("update txno_outbox set nextattempttime = now() - interval '1 day'");
            if (events > sample.size()) {
                try (PreparedStatement copy = connection.prepareStatement(COPY)) {
                    copy.setInt(1, events / sample.size());
                    copy.setInt(2, sample.size());
                    copy.setInt(3, events - sample.size());
                    copy.executeUpdate();
                }
            }
            statement.execute("vacuum analyze txno_outbox");
            statement.execute("checkpoint");
        }
    }

    private void schedule(Business.Message message) {
        try {
            outbox.schedule(Sender.class).send(message.key(), message.value());
        } catch (Exception e) {
            throw new IllegalStateException("gruelbox did not store a call: " + e, e);
        }
    }

    @Override
    public void start(String topic) {
        producer.topic(topic);
        sending = true;
        Thread thread = new Thread(this::flush, "flush");
        flushing = thread;
        thread.start();
    }

    private void flush() {
        while (sending) {
            if (!outbox.flush()) {
                LockSupport.parkNanos(pause.toNanos());
            }
        }
    }

    @Override
    public void stop() throws InterruptedException {
        sending = false;
        Thread thread = flushing;
        if (thread != null) {
            thread.join();
        }
        while (threads.getActiveCount() > 0 || !threads.getQueue().isEmpty()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Override
    public Optional<String> outbox() {
        return Optional.of("txno_outbox");
    }

    @Override
    public Appender appender() {
        return new Appender() {
            @Override
            public void append(long number) throws SQLException {
                transactions.inTransactionThrows(transaction -> {
                    Business.insertRow(transaction.connection(), number);
                    schedule(new Business.Message(Business.key(number), Business.payload(number)));
                });
            }

            /** Nothing to do: connections belong to the pool. */
            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        threads.shutdownNow();
        producer.close();
        pool.close();
    }
}
