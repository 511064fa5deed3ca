package dev.waybill.bench.kit;

import dev.waybill.bench.kit.BenchSystem.Appender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Clients that append. */
final class Load {
    /** As many clients as the bench's append and latency have. */
    static final int CLIENTS = 4;

    private final BenchSystem system;

    Load(BenchSystem system) {
        this.system = system;
    }

    /** @return transactions a second, each client beginning the next one when the last is committed */
    double closedLoop(Duration time) throws Exception {
        AtomicLong numbers = new AtomicLong();
        long begun = System.nanoTime();
        long end = begun + time.toNanos();
        inClients(appender -> {
            while (System.nanoTime() < end) {
                appender.append(numbers.getAndIncrement());
            }
        });
        return numbers.get() / ((System.nanoTime() - begun) / 1e9);
    }

    /**
     * Appends at a fixed rate, whatever the system does meanwhile, and writes the time of every commit, in nanoseconds since
     * 1970, to the file: line n is event n.
     */
    void openLoop(int rate, int events, Path commits) throws Exception {
        long[] committed = new long[events];
        AtomicLong numbers = new AtomicLong();
        long begun = System.nanoTime();
        inClients(appender -> {
            for (long n = numbers.getAndIncrement(); n < events; n = numbers.getAndIncrement()) {
                long due = begun + TimeUnit.SECONDS.toNanos(n) / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                appender.append(n);
                committed[(int) n] = now();
            }
        });
        write(commits, committed);
    }

    private static void write(Path file, long[] times) throws IOException {
        Files.writeString(file, Arrays.stream(times).mapToObj(String::valueOf).collect(Collectors.joining("\n")));
    }

    private static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private interface Client {
        void run(Appender appender) throws Exception;
    }

    private void inClients(Client client) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Callable<Void> work = () -> {
                    try (Appender appender = system.appender()) {
                        client.run(appender);
                    }
                    return null;
                };
                running.add(threads.submit(work));
            }
            for (Future<Void> each : running) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client could not append: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
        }
    }
}
