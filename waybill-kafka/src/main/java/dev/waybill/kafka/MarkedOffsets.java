package dev.waybill.kafka;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Offsets of one partition; a few bits for each, so that a topic of millions does not fill the memory. */
final class MarkedOffsets {
    private static final int CHUNK = 1 << 16;

    private final Map<Long, BitSet> chunks = new HashMap<>();

    void add(long offset) {
        chunks.computeIfAbsent(offset / CHUNK, number -> new BitSet()).set((int) (offset % CHUNK));
    }

    boolean contains(long offset) {
        BitSet chunk = chunks.get(offset / CHUNK);
        return chunk != null && chunk.get((int) (offset % CHUNK));
    }
}
