package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Looks up topics on the thread that sends, for a writer whose messages wait for each other anyway. A broker that creates topics
 * on use creates them. One thread.
 */
final class TopicQuestions implements AutoCloseable {
    private static final Duration ONE_LOOK = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final ClientProperties properties;
    private final KafkaErrors errors;
    private final Duration topicTimeout;
    private final Set<String> known = new HashSet<>();
    private final MissingTopics missing = new MissingTopics();
    private @Nullable Consumer<byte[], byte[]> consumer;
    /** Until then missing topics are waited for. */
    private long patientUntil = System.nanoTime();

    TopicQuestions(ClientProperties properties, KafkaErrors errors, Duration topicTimeout) {
        this.properties = properties;
        this.errors = errors;
        this.topicTimeout = topicTimeout;
    }

    /** All new topics of a batch together are waited for no longer than one. */
    void beginBatch() {
        patientUntil = System.nanoTime() + topicTimeout.toNanos();
        missing.forgetRefused();
    }

    /** Why nothing can be sent to the topic; null if it is there. */
    @Nullable Delivery whyAbsent(String topic) {
        if (known.contains(topic)) {
            return null;
        }
        @Nullable Delivery impossible = errors.whyImpossible(topic);
        if (impossible != null) {
            return impossible;
        }
        @Nullable Delivery before = missing.why(topic, System.nanoTime());
        if (before != null) {
            return before;
        }
        // A topic that was missing before is not waited for again.
        @Nullable Delivery why = look(topic, missing.has(topic) ? System.nanoTime() : patientUntil);
        if (why == null) {
            known.add(topic);
            missing.remove(topic);
        } else {
            missing.add(topic, why, System.nanoTime());
        }
        return why;
    }

    /** How many are remembered. */
    int size() {
        return known.size() + missing.size();
    }

    private @Nullable Delivery look(String topic, long deadline) {
        while (true) {
            Delivery why;
            try {
                if (!consumer().partitionsFor(topic, ONE_LOOK).isEmpty()) {
                    return null;
                }
                why = errors.missing(topic);
            } catch (RuntimeException e) {
                why = errors.whenLookingFor(topic, e);
                if (!(e instanceof RetriableException)) {
                    return why;
                }
            }
            if (System.nanoTime() - deadline >= 0) {
                return why;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /** Also sees messages of open transactions. */
    Consumer<byte[], byte[]> consumer() {
        Consumer<byte[], byte[]> asking = consumer;
        if (asking == null) {
            asking = new KafkaConsumer<>(properties.consumer());
            consumer = asking;
        }
        return asking;
    }

    @Override
    public void close() {
        Consumer<byte[], byte[]> asking = consumer;
        consumer = null;
        if (asking != null) {
            try {
                asking.close(CloseOptions.timeout(Duration.ZERO));
            } catch (KafkaException e) {
                // Interrupted, or a connection failed: it is not used any more.
            }
        }
    }
}
