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

    /** What clients have committed. */
    record Appended(long transactions, double perSecond) {}

    /**
     * Each client begins the next transaction when the last one is committed, and commits at least one, however late its thread
     * gets to run.
     */
    Appended closedLoop(Duration time) throws Exception {
        AtomicLong numbers = new AtomicLong();
        long taken = inClients((appender, begun) -> {
            do {
                appender.append(numbers.getAndIncrement());
            } while (System.nanoTime() - begun < time.toNanos());
        });
        return new Appended(numbers.get(), numbers.get() / (taken / 1e9));
    }

    /**
     * Appends at a fixed rate, whatever the system does meanwhile, and writes the time of every commit, in nanoseconds since
     * 1970, to the file: line n is event {@code first + n}.
     *
     * @param first the number of the first event
     * @return the median of the times by which appends began later than due, in nanoseconds
     */
    long openLoop(int rate, int first, int events, Path commits) throws Exception {
        long[] committed = new long[events];
        long[] late = new long[events];
        AtomicLong numbers = new AtomicLong();
        inClients((appender, begun) -> {
            for (long n = numbers.getAndIncrement(); n < events; n = numbers.getAndIncrement()) {
                long due = begun + TimeUnit.SECONDS.toNanos(n) / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                late[(int) n] = System.nanoTime() - due;
                appender.append(first + n);
                committed[(int) n] = now();
            }
        });
        write(commits, committed);
        Arrays.sort(late);
        return late[events / 2];
    }

    private static void write(Path file, long[] times) throws IOException {
        Files.writeString(file, Arrays.stream(times).mapToObj(String::valueOf).collect(Collectors.joining("\n")));
    }

    private static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private interface Client {
        /** @param begun when all clients began */
        void run(Appender appender, long begun) throws Exception;
    }

    /** @return the time from the first beginning to the last end, in nanoseconds, without that for opening and closing */
    private long inClients(Client client) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        List<Appender> appenders = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                appenders.add(system.appender());
            }
            List<Future<Void>> running = new ArrayList<>();
            long begun = System.nanoTime();
            for (Appender appender : appenders) {
                Callable<Void> work = () -> {
                    client.run(appender, begun);
                    return null;
                };
                running.add(threads.submit(work));
            }
            for (Future<Void> each : running) {
                each.get();
            }
            return System.nanoTime() - begun;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A client could not append: " + e.getCause(), e);
        } finally {
            threads.shutdownNow();
            for (Appender appender : appenders) {
                appender.close();
            }
        }
    }
}
