package dev.waybill.bench.systems;

import dev.waybill.bench.kit.Business;
import dev.waybill.bench.results.Results.Latency;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Clients append at a fixed rate in the process of the system, and a consumer here notes when each event arrives. */
final class LatencyRound {
    /** Those that are reported, and more for the curve. */
    static final List<Double> QUANTILES =
            List.of(0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** By which half of the appends may begin later than due. */
    private static final Duration LATE = Duration.ofMillis(20);

    private static final double LOWEST_SHARE = 0.95;

    private final Stage stage;
    private final Topics topics;

    LatencyRound(Stage stage, Topics topics) {
        this.stage = stage;
        this.topics = topics;
    }

    /**
     * @param warmUp events that are appended first and must have arrived before it counts: those of the start wait until the system
     *     is connected
     * @param seconds of the others
     */
    Latency measure(RunningSystem system, int rate, int warmUp, int seconds)
            throws SystemFailedException, InterruptedException {
        Path commits = stage.folder().resolve("commits");
        system.tell("prepare 0");
        String topic = topics.create("latency-" + system.name());
        try {
            system.tell("start " + topic);
            pace(system, topic, rate, 0, warmUp, commits);
            Paced paced = pace(system, topic, rate, warmUp, rate * seconds, commits);
            system.tell("stop");
            long[] committed = Files.readAllLines(commits).stream()
                    .mapToLong(Long::parseLong)
                    .toArray();
            requireRate(system.name(), rate, committed);
            requireInTime(system.name(), paced.late());
            return new Latency(system.name(), rate, rate * seconds, quantiles(committed, paced.arrived()));
        } catch (IOException e) {
            throw new UncheckedIOException("The times of the commits could not be read from " + commits + ".", e);
        } finally {
            topics.delete(topic);
        }
    }

    /**
     * What was appended.
     *
     * @param arrived when each event arrived
     * @param late the median of the times by which appends began later than due
     */
    private record Paced(long[] arrived, Duration late) {}

    /** @param first the number of the first event: repeats of those before are not taken for it */
    private Paced pace(RunningSystem system, String topic, int rate, int first, int events, Path commits)
            throws SystemFailedException, InterruptedException {
        try (Arrivals arrivals = new Arrivals(stage.bootstrapServers(), topics.partitions(topic), first, events)) {
            Duration late = Duration.ofNanos(
                    Long.parseLong(system.tell("pace " + rate + " " + first + " " + events + " " + commits)));
            return new Paced(arrivals.await(system.name()), late);
        }
    }

    private static void requireInTime(String system, Duration late) throws SystemFailedException {
        if (late.compareTo(LATE) > 0) {
            throw new SystemFailedException(
                    system + ": half of its appends began more than " + late.toMillis() + " ms later than due.", null);
        }
    }

    /** Clients that fall behind load the system less than they claim. */
    private static void requireRate(String system, int rate, long[] committed) throws SystemFailedException {
        long[] times = committed.clone();
        Arrays.sort(times);
        double reached = (times.length - 1) / ((times[times.length - 1] - times[0]) / 1e9);
        if (reached < LOWEST_SHARE * rate) {
            throw new SystemFailedException(
                    String.format(
                            Locale.ROOT,
                            "%s: its clients appended %,.0f events/s instead of %,d.",
                            system,
                            reached,
                            rate),
                    null);
        }
    }

    private static Map<Double, Double> quantiles(long[] committed, long[] arrived) {
        long[] nanos = new long[committed.length];
        // A consumer may have an event before the client's thread runs again after the commit.
        Arrays.setAll(nanos, n -> Math.max(0, arrived[n] - committed[n]));
        Arrays.sort(nanos);
        Map<Double, Double> millis = new TreeMap<>();
        for (double quantile : QUANTILES) {
            int index = Math.max(0, (int) Math.ceil(quantile * nanos.length) - 1);
            millis.put(quantile, Math.round(nanos[index] / 1e4) / 1e2);
        }
        return millis;
    }

    /** A consumer that notes when each event arrived first. */
    private static final class Arrivals implements AutoCloseable {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final int first;
        private final long[] arrived;
        private final Thread thread;
        private volatile int missing;
        private volatile @Nullable RuntimeException failure;

        Arrivals(String bootstrapServers, List<TopicPartition> partitions, int first, int events) {
            this.first = first;
            this.arrived = new long[events];
            this.missing = events;
            this.consumer = Topics.consumer(bootstrapServers);
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
            this.thread = new Thread(this::read, "bench-consumer");
            thread.start();
        }

        private void read() {
            try {
                readAll();
            } catch (InterruptException e) {
                // Closed before everything arrived; whoever closes it says so.
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // written by this thread only
        private void readAll() {
            while (missing > 0 && !Thread.currentThread().isInterrupted()) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    int number = (int) Business.number(new String(record.value(), StandardCharsets.UTF_8)) - first;
                    if (number >= 0 && arrived[number] == 0) {
                        arrived[number] = now();
                        missing--;
                    }
                }
            }
        }

        private static long now() {
            Instant now = Instant.now();
            return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        }

        long[] await(String system) throws SystemFailedException, InterruptedException {
            thread.join(PATIENCE.toMillis());
            if (failure != null) {
                throw new SystemFailedException(system + ": its events could not be read: " + failure, failure);
            }
            if (missing > 0) {
                throw new SystemFailedException(
                        system + ": of " + arrived.length + " events " + missing + " had not arrived "
                                + PATIENCE.toSeconds() + " s after the last was appended.",
                        null);
            }
            return arrived;
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            consumer.close();
        }
    }
}
