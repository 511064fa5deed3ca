package dev.waybill.admin;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Number of dead letters in one topic.
 *
 * @param topic the dead-letter topic or queue
 * @param letters letters that were neither sent back nor discarded; a lower bound unless {@code exact}
 * @param exact whether all letters were counted
 * @param byConsumer letters of each consumer, by its name; unreadable letters are under the empty name. Names are cut as in
 *     {@link DeadLetterEntry}. Empty if the broker tells only the total
 */
public record DeadLetterCount(String topic, long letters, boolean exact, Map<String, Long> byConsumer) {
    /** Most letters that are counted in a topic by default. */
    public static final int COUNTED = 10_000;

    public DeadLetterCount {
        Map<String, Long> cut = new TreeMap<>();
        byConsumer.forEach((consumer, count) -> cut.merge(DeadLetterEntry.cut(consumer), count, Long::sum));
        byConsumer = Map.copyOf(cut);
    }

    /** @param consumers the consumer of each letter */
    public static DeadLetterCount of(String topic, Collection<String> consumers, boolean exact) {
        Map<String, Long> byConsumer = new TreeMap<>();
        consumers.forEach(consumer -> byConsumer.merge(consumer, 1L, Long::sum));
        return new DeadLetterCount(topic, consumers.size(), exact, byConsumer);
    }
}
