package dev.waybill.kafka;

import dev.waybill.admin.DeadLetterEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The oldest letters of all partitions, at most as many as requested. Letters of one partition keep their order. */
final class OldestLetters {
    private static final Comparator<Dated> OLDEST_FIRST = Comparator.comparingLong(Dated::time)
            .thenComparingInt(Dated::partition)
            .thenComparingLong(Dated::offset);

    private final int atMost;
    private final PriorityQueue<Dated> youngestFirst = new PriorityQueue<>(OLDEST_FIRST.reversed());
    private int partition = -1;
    private long time;

    private record Dated(long time, int partition, long offset, DeadLetterEntry letter) {}

    OldestLetters(int atMost) {
        this.atMost = atMost;
    }

    /** Adds the next letter of a partition; partitions are read one after the other. */
    void add(KafkaMessage message, DeadLetterEntry letter) {
        int from = message.partition().partition();
        // Clocks of producers differ, but a later record of a partition counts as later.
        time = from == partition
                ? Math.max(time, message.source().timestamp())
                : message.source().timestamp();
        partition = from;
        youngestFirst.add(new Dated(time, from, message.offset(), letter));
        if (youngestFirst.size() > atMost) {
            youngestFirst.remove();
        }
    }

    /** Whether nothing that follows in the partition read last can be among the oldest. */
    boolean hasEnoughOf(int from) {
        return atMost == 0
                || (youngestFirst.size() == atMost
                        && from == partition
                        && time > youngestFirst.element().time());
    }

    List<DeadLetterEntry> list() {
        List<Dated> sorted = new ArrayList<>(youngestFirst);
        sorted.sort(OLDEST_FIRST);
        return sorted.stream().map(Dated::letter).toList();
    }
}
