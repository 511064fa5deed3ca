package dev.waybill.kafka;

import java.util.HashMap;
import java.util.Map;

/**
 * Offsets of one partition. Neighbouring offsets take a few bits each, so that a topic of millions does not fill the memory; an
 * isolated one takes an entry in a map.
 */
final class MarkedOffsets {
    private final Map<Long, Long> words = new HashMap<>();

    void add(long offset) {
        words.merge(offset / Long.SIZE, bit(offset), (word, bit) -> word | bit);
    }

    boolean contains(long offset) {
        return (words.getOrDefault(offset / Long.SIZE, 0L) & bit(offset)) != 0;
    }

    private static long bit(long offset) {
        return 1L << (offset % Long.SIZE);
    }
}
