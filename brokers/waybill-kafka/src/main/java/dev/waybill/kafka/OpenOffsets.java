package dev.waybill.kafka;

import java.util.OptionalLong;
import java.util.TreeSet;

/** The messages of one partition that were handed to the consumer, and up to where all are acknowledged. */
final class OpenOffsets {
    private final TreeSet<Long> open = new TreeSet<>();
    private long next = -1;
    private long committed = -1;

    void given(long offset) {
        open.add(offset);
        next = offset + 1;
    }

    void done(long offset) {
        open.remove(offset);
    }

    /**
     * @return the offset to commit, which is that of the next message to read, when there is something new to commit
     */
    OptionalLong toCommit() {
        long reached = open.isEmpty() ? next : open.first();
        return reached > committed && reached >= 0 ? OptionalLong.of(reached) : OptionalLong.empty();
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }
}
