package dev.waybill.rabbitmq;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * RabbitMQ, with publisher confirms. Messages are persistent and mandatory: delivered means that RabbitMQ has confirmed the
 * message and a queue was bound for it. RabbitMQ keeps no order after a nack, so one event of a key is out at a time, and as
 * many keys as there are.
 *
 * <p>The topic of a message is its routing key. A connection lives until RabbitMQ is unavailable or the relay aborts ({@link
 * PublishSession}); the next publish connects anew. After a failure that the relay may not have seen, a publish is answered
 * Unavailable without being sent, for it could hold followers of what has just failed.
 */
public final class RabbitDestination implements Destination {
    /** The header with the key of the message, for consumers and for exchanges that hash it. */
    public static final String KEY_HEADER = "event-key";

    private final RabbitOptions options;
    private final RabbitErrors errors;
    private final AtomicReference<@Nullable PublishSession> session = new AtomicReference<>();
    private final ScheduledThreadPoolExecutor watch;
    private volatile boolean closed;

    private RabbitDestination(RabbitOptions options) {
        this.options = options;
        this.errors = new RabbitErrors(options.address().toString());
        this.watch = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "waybill-rabbitmq-watch");
            daemon.setDaemon(true);
            return daemon;
        });
        long interval = Math.max(10, options.confirmTimeout().toMillis() / 20);
        ScheduledFuture<?> unused =
                watch.scheduleWithFixedDelay(this::checkProgress, interval, interval, TimeUnit.MILLISECONDS);
    }

    /** Connects when the first event is published, so RabbitMQ need not be there yet. */
    public static RabbitDestination of(RabbitOptions options) {
        return new RabbitDestination(options);
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.ONE_AT_A_TIME, options.maxMessageBytes());
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch) {
        if (closed) {
            return unavailable(batch, errors.closedByUs());
        }
        if (batch.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        PublishSession current = session.get();
        if (current != null && current.end() != null && current.endedIdle()) {
            session.compareAndSet(current, null);
            current = null;
        }
        if (current == null) {
            current = open();
        }
        Unavailable end = current.end();
        if (end == null) {
            return current.publish(batch);
        }
        // What is complete now the relay takes in before it publishes again.
        if (current.isComplete()) {
            session.compareAndSet(current, null);
        }
        return unavailable(batch, end);
    }

    private PublishSession open() {
        PublishSession opened = new PublishSession(options, errors);
        session.set(opened);
        opened.start();
        return opened;
    }

    private void checkProgress() {
        PublishSession current = session.get();
        if (current != null) {
            current.checkProgress();
        }
    }

    @Override
    public void abort() {
        PublishSession current = session.getAndSet(null);
        if (current != null) {
            current.end(errors.aborted());
        }
    }

    @Override
    public void close() {
        closed = true;
        PublishSession current = session.getAndSet(null);
        if (current != null) {
            current.close(errors.closedByUs());
        }
        watch.shutdownNow();
    }

    private static CompletionStage<List<Delivery>> unavailable(List<OutboundMessage> batch, Unavailable why) {
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), why));
    }

    @Override
    public String toString() {
        return "RabbitMQ at " + errors.broker();
    }
}
