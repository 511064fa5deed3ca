package dev.waybill.rabbitmq;

import dev.waybill.admin.LettersWornException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * Quorum queues with a letter that was read too often. Their letters say how often they were delivered; letters of other queues do
 * not, and can be read without end. One thread.
 */
final class WornQueues {
    private static final String DELIVERIES = "x-delivery-count";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private static final int UNKNOWN = -1;

    private final int mostReadings;
    /** How many letters each had when it was last looked at. */
    private final Map<String, Integer> sizes = new HashMap<>();

    WornQueues(int mostReadings) {
        this.mostReadings = mostReadings;
    }

    boolean isKnown(String queue) {
        return sizes.containsKey(queue);
    }

    /**
     * While none of its letters has left the queue, the worn one is still there, and is not read once more to learn that. An empty
     * queue has none.
     *
     * @param size the number of letters, which can be known without reading them
     */
    void requireThatSomeLeft(String queue, IntSupplier size) {
        int now = size.getAsInt();
        int before = sizes.getOrDefault(queue, UNKNOWN);
        sizes.put(queue, now);
        if (now > 0 && (before == UNKNOWN || now >= before)) {
            throw refused(queue);
        }
        sizes.remove(queue);
    }

    /** @throws LettersWornException if the letter was read too often */
    void look(String queue, RabbitMessage letter) {
        Optional<String> deliveries =
                letter.header(DELIVERIES).filter(text -> NUMBER.matcher(text).matches());
        if (deliveries.isPresent() && Integer.parseInt(deliveries.get()) >= mostReadings) {
            sizes.put(queue, UNKNOWN);
            throw refused(queue);
        }
    }

    private LettersWornException refused(String queue) {
        return new LettersWornException("A letter of " + queue + " was read " + mostReadings
                + " times and is not read again: in a quorum queue reading counts as a delivery, and RabbitMQ gives a message"
                + " up at the delivery limit (20 by default since 4.0). Send the letters back or discard them, which still works;"
                + " or give the queue no limit (a policy with delivery-limit: -1) and say so with letter-readings: 0 in the"
                + " configuration of the destination.");
    }
}
