package dev.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Letters that were taken from a queue during a search. They stay unacknowledged and known, so that processing one letter after
 * the other takes each from the queue once. All return to their positions when the channel is closed. One thread.
 */
final class HeldLetters {
    /** At most this many are remembered; others are skipped, and return when the channel is closed. */
    private static final int MOST = 100_000;
    /** Maximum size of held messages; for further letters only the position is remembered. */
    private static final long MOST_BYTES = 16_000_000;

    private static final int PLACE_BYTES = 8;

    private final Channel channel;
    private final String queue;
    private final long since = System.nanoTime();
    private final Map<String, Deque<Held>> letters = new HashMap<>();
    private int count;
    private long heldBytes;
    private boolean complete = true;

    /** @param message empty if there was no room for it */
    private record Held(String place, long tag, Optional<RabbitMessage> message) {
        private long bytes() {
            return message.map(held -> (long) held.value().length).orElse(0L);
        }
    }

    HeldLetters(Channel channel, String queue) {
        this.channel = channel;
        this.queue = queue;
    }

    Channel channel() {
        return channel;
    }

    boolean isOf(String otherQueue) {
        return queue.equals(otherQueue);
    }

    /** In nanoseconds. */
    long age() {
        return System.nanoTime() - since;
    }

    /** Whether all letters that were taken are remembered. */
    boolean isComplete() {
        return complete;
    }

    /** The letter with its message. Of several with the same position, another one each time. */
    Optional<RabbitMessage> message(String place) throws IOException {
        Optional<Held> found = find(place);
        if (found.isEmpty() || found.get().message().isPresent()) {
            return found.flatMap(Held::message);
        }
        Held without = found.get();
        forget(without);
        channel.basicNack(without.tag(), false, true);
        return takeUntil(place).flatMap(Held::message);
    }

    private Optional<Held> find(String place) throws IOException {
        @Nullable Deque<Held> known = letters.get(place);
        if (known == null) {
            return takeUntil(place);
        }
        Held next = known.removeFirst();
        known.addLast(next);
        return Optional.of(next);
    }

    private Optional<Held> takeUntil(String place) throws IOException {
        for (Optional<RabbitMessage> next = next(channel, queue); next.isPresent(); next = next(channel, queue)) {
            RabbitMessage message = next.get();
            boolean wanted = message.place().equals(place);
            boolean kept = wanted || heldBytes + message.value().length <= MOST_BYTES;
            Held held = new Held(message.place(), message.tag(), kept ? next : Optional.empty());
            remember(held, wanted);
            if (wanted) {
                return Optional.of(held);
            }
        }
        return Optional.empty();
    }

    private void remember(Held held, boolean wanted) {
        if (count >= MOST && !wanted) {
            complete = false;
            return;
        }
        letters.computeIfAbsent(held.place(), place -> new ArrayDeque<>()).addLast(held);
        heldBytes += held.bytes();
        count++;
    }

    private void forget(Held held) {
        letters.computeIfPresent(held.place(), (place, all) -> all.remove(held) && all.isEmpty() ? null : all);
        heldBytes -= held.bytes();
        count--;
    }

    /** Returns when RabbitMQ has processed the acknowledgement. */
    void acknowledge(RabbitMessage letter) throws IOException {
        channel.basicAck(letter.tag(), false);
        // The reply is sent after all earlier acknowledgements were processed, so it confirms them.
        channel.basicQos(0);
        forget(new Held(letter.place(), letter.tag(), Optional.of(letter)));
    }

    /** Takes the next letter; it stays with this channel until that is closed. */
    static Optional<RabbitMessage> next(Channel channel, String queue) throws IOException {
        @Nullable GetResponse got = channel.basicGet(queue, false);
        if (got == null) {
            return Optional.empty();
        }
        return Optional.of(RabbitMessage.letter(channel, queue, queue + "#" + fingerprint(got.getBody()), got));
    }

    /** A letter has no number in its queue. It is identified by its content, which includes the time of its failure. */
    private static String fingerprint(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return HexFormat.of().formatHex(digest, 0, PLACE_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, although every Java runtime must provide it.", e);
        }
    }
}
