package dev.waybill.telemetry.metrics;

import dev.waybill.admin.DeadLetterCount;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The dead letters of one destination, by consumer. The names come from the letters, which anybody who may write to the topic can
 * invent: only plain names become labels, and only a bounded number of them.
 */
final class DeadLetterMeters implements WaybillMeters.Watching {
    static final int MOST_CONSUMERS = 100;
    /** Letters of queues whose broker tells only their total, and letters that cannot be read. */
    static final String UNKNOWN = "unknown";

    static final String OTHER = "other";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private final String destination;
    private final Registering registering;
    private final Refreshed<Map<String, Long>> letters;
    private final Registering.Owned up;
    /** A consumer stays when its last letter is gone, with 0. Used by the reading thread, and by close. */
    private final Map<String, Registering.Owned> consumers = new HashMap<>();

    private boolean closed;

    DeadLetterMeters(
            String destination, Supplier<List<DeadLetterCount>> counting, Registering registering, Refresh refresh) {
        this.destination = destination;
        this.registering = registering;
        this.letters = new Refreshed<>(
                "dead letters of " + destination,
                () -> byConsumer(counting.get()),
                this::register,
                refresh,
                registering.registry().config().clock());
        this.up = registering.gauge(
                WaybillMeter.DEAD_LETTERS_UP, () -> letters.current().isPresent() ? 1 : 0, destination);
        letters.start();
    }

    private static Map<String, Long> byConsumer(List<DeadLetterCount> topics) {
        Map<String, Long> all = new TreeMap<>();
        for (DeadLetterCount topic : topics) {
            if (topic.byConsumer().isEmpty() && topic.letters() > 0) {
                all.merge(UNKNOWN, topic.letters(), Long::sum);
            }
            topic.byConsumer().forEach((consumer, count) -> all.merge(label(consumer), count, Long::sum));
        }
        return all;
    }

    private static String label(String consumer) {
        if (consumer.isEmpty()) {
            return UNKNOWN;
        }
        return PLAIN.matcher(consumer).matches() ? consumer : OTHER;
    }

    private synchronized void register(Map<String, Long> read) {
        if (closed) {
            return;
        }
        read.keySet().forEach(consumer -> {
            if (consumers.size() < MOST_CONSUMERS) {
                consumers.computeIfAbsent(consumer, this::gauge);
            } else if (!consumers.containsKey(consumer)) {
                consumers.computeIfAbsent(OTHER, this::gauge);
            }
        });
    }

    private Registering.Owned gauge(String consumer) {
        return registering.gauge(
                WaybillMeter.DEAD_LETTERS,
                () -> letters.current()
                        .map(counts -> (double) waiting(counts, consumer))
                        .orElse(Double.NaN),
                destination,
                consumer);
    }

    private synchronized long waiting(Map<String, Long> counts, String consumer) {
        long others = consumer.equals(OTHER)
                ? counts.entrySet().stream()
                        .filter(entry -> !consumers.containsKey(entry.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum()
                : 0;
        return counts.getOrDefault(consumer, 0L) + others;
    }

    @Override
    public void close() {
        letters.close();
        synchronized (this) {
            closed = true;
            registering.remove(up);
            consumers.values().forEach(registering::remove);
            consumers.clear();
        }
    }
}
