package dev.waybill.tck.memory;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.SourceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory topic for tests of consumers. Unacknowledged messages are delivered again when the subscription is
 * closed or the topic fails. Safe for use by many threads.
 */
public final class InMemoryTopic implements MessageSource {
    private final String name;
    private final InstantSource clock;
    private final TreeMap<Long, Message> waiting = new TreeMap<>();
    private long lastNumber;
    private int acknowledged;
    private @Nullable String failure;

    public InMemoryTopic(String name) {
        this(name, InstantSource.system());
    }

    /** @param clock tells when messages are sent */
    public InMemoryTopic(String name, InstantSource clock) {
        this.name = name;
        this.clock = clock;
    }

    /** @param at when it was sent */
    private record Message(
            long number, String topic, byte @Nullable [] key, byte[] value, List<Header> headers, Instant at)
            implements InboundMessage {
        @Override
        public Optional<Instant> sentAt() {
            return Optional.of(at);
        }

        @Override
        public String place() {
            return topic + "@" + number;
        }
    }

    public void send(@Nullable String key, String value, Header... headers) {
        send(key, value.getBytes(StandardCharsets.UTF_8), headers);
    }

    public synchronized void send(@Nullable String key, byte[] value, Header... headers) {
        byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
        waiting.put(++lastNumber, new Message(lastNumber, name, keyBytes, value, List.of(headers), clock.instant()));
        notifyAll();
    }

    /** Number of acknowledged messages. */
    public synchronized int acknowledged() {
        return acknowledged;
    }

    /** Every call fails with this message until {@link #recover}. */
    public synchronized void fail(String why) {
        failure = why;
        notifyAll();
    }

    public synchronized void recover() {
        failure = null;
    }

    @Override
    public synchronized Subscription subscribe(Listener listener) {
        requireWell();
        return new Reading(listener);
    }

    private void requireWell() {
        if (failure != null) {
            throw new SourceException(failure, new IllegalStateException(failure));
        }
    }

    private final class Reading implements Subscription {
        private final Listener listener;
        private final TreeMap<Long, Message> given = new TreeMap<>();
        private boolean closed;

        private Reading(Listener listener) {
            this.listener = listener;
        }

        @Override
        public List<InboundMessage> poll(Duration wait, int atMost) {
            synchronized (InMemoryTopic.this) {
                requireWell();
                await(wait, atMost);
                requireWell();
                List<InboundMessage> messages = new ArrayList<>();
                while (messages.size() < atMost && !waiting.isEmpty()) {
                    Message next = waiting.pollFirstEntry().getValue();
                    given.put(next.number(), next);
                    messages.add(next);
                }
                return messages;
            }
        }

        private void await(Duration wait, int atMost) {
            long deadline = System.nanoTime() + wait.toNanos();
            try {
                while (failure == null && (waiting.isEmpty() || atMost == 0)) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return;
                    }
                    InMemoryTopic.this.wait(left / 1_000_000, (int) (left % 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void acknowledge(Collection<InboundMessage> done) {
            synchronized (InMemoryTopic.this) {
                requireWell();
                for (InboundMessage message : done) {
                    if (message instanceof Message ours && given.remove(ours.number()) != null) {
                        acknowledged++;
                    }
                }
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                Predicate<InboundMessage> all = message -> true;
                if (isWell()) {
                    listener.revoked(this, all);
                }
                synchronized (InMemoryTopic.this) {
                    waiting.putAll(given);
                    given.clear();
                    InMemoryTopic.this.notifyAll();
                }
            }
        }

        private boolean isWell() {
            synchronized (InMemoryTopic.this) {
                return failure == null;
            }
        }
    }
}
