package dev.waybill.kafka;

import dev.waybill.spi.Delivery.Unavailable;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/** A producer and its end, which comes once and for one reason. */
final class ProducerLife {
    private final Producer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Unavailable> end = new AtomicReference<>();

    ProducerLife(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    Producer<byte[], byte[]> producer() {
        return producer;
    }

    /** Why it ended; nothing while it lives. */
    @Nullable Unavailable end() {
        return end.get();
    }

    /**
     * @return false when it had ended before
     */
    boolean endBecause(Unavailable why) {
        return end.compareAndSet(null, why);
    }

    /** On the producer's own thread it waits for nothing, and the producer sends nothing more. */
    void closeHere() {
        close(Duration.ZERO);
    }

    /**
     * Closes the producer on a thread of its own and waits for that, but no longer than it is worth. Closing waits for the
     * producer's thread, and that one may just be telling somebody who waits for the caller.
     */
    void closeElsewhere(Duration grace, Duration patience) {
        Thread closing = new Thread(() -> close(grace), "waybill-kafka-close");
        closing.setDaemon(true);
        closing.start();
        try {
            if (!patience.isZero()) {
                closing.join(patience.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(Duration grace) {
        try {
            producer.close(grace);
        } catch (RuntimeException e) {
            // The producer was to be given up, and is.
        }
    }
}
