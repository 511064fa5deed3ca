package dev.waybill.trials;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A service under load: several writers that change aggregates, each change and its events in one transaction. */
final class Workload implements AutoCloseable {
    /** The types of aggregates, and so the topics. */
    static final List<String> TYPES = List.of("Order", "Payment");

    private static final int WRITERS = 4;
    private static final long PATIENCE_SECONDS = 60;

    private final WriterLog log = new WriterLog();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final List<Future<?>> running = new ArrayList<>();
    private volatile boolean stopping;

    /**
     * @param transactions approximate number per second
     */
    static Workload start(DataSource dataSource, long seed, int transactions) {
        Workload workload = new Workload();
        for (int number = 0; number < WRITERS; number++) {
            workload.running.add(workload.threads.submit(
                    new Writer(workload, dataSource, seed * 100 + number, transactions / WRITERS)));
        }
        return workload;
    }

    private Workload() {}

    boolean isStopping() {
        return stopping;
    }

    WriterLog log() {
        return log;
    }

    /** Returns when every transaction has ended. */
    void end() throws Exception {
        stopping = true;
        for (Future<?> writer : running) {
            try {
                writer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw new AssertionError("A writer failed.", e.getCause());
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
        threads.shutdownNow();
    }
}
