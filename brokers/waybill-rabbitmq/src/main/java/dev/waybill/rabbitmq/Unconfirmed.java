package dev.waybill.rabbitmq;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Unconfirmed messages of a channel by number. Numbers are consecutive. One thread at a time. */
final class Unconfirmed {
    /** A ring: number n lies at n modulo its length, which is a power of two. Null where one was confirmed out of order. */
    private @Nullable Outgoing[] ring = new Outgoing[256];

    private long first;
    private long next;

    void add(long number, Outgoing message) {
        if (first == next) {
            first = number;
            next = number;
        }
        if (number != next) {
            throw new IllegalStateException("Message " + number + " follows " + (next - 1) + " on its channel.");
        }
        if (next - first == ring.length) {
            grow();
        }
        ring[place(number)] = message;
        next++;
    }

    private void grow() {
        @Nullable Outgoing[] larger = new Outgoing[ring.length * 2];
        for (long number = first; number < next; number++) {
            larger[(int) (number & (larger.length - 1))] = ring[place(number)];
        }
        ring = larger;
    }

    /**
     * @param multiple whether all up to this number are meant
     * @return those that were still there, oldest first
     */
    List<Outgoing> take(long number, boolean multiple) {
        List<Outgoing> taken = new ArrayList<>(multiple ? (int) (next - first) : 1);
        for (long each = multiple ? first : Math.max(first, number); each <= number && each < next; each++) {
            Outgoing message = ring[place(each)];
            if (message != null) {
                taken.add(message);
                ring[place(each)] = null;
            }
        }
        while (first < next && ring[place(first)] == null) {
            first++;
        }
        return taken;
    }

    List<Outgoing> takeAll() {
        List<Outgoing> all = take(next - 1, true);
        Arrays.fill(ring, null);
        return all;
    }

    boolean isEmpty() {
        return first == next;
    }

    private int place(long number) {
        return (int) (number & (ring.length - 1));
    }
}
