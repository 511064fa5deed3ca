package dev.waybill.rabbitmq;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.support.Sessions;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * RabbitMQ, with publisher confirms. Messages are persistent and mandatory: delivered means that RabbitMQ has confirmed the
 * message and a queue was bound for it. RabbitMQ keeps no order after a nack, so only one event of a key is in flight at a time,
 * but any number of keys.
 *
 * <p>The topic of a message is its routing key. A connection is used until RabbitMQ is unavailable or the relay aborts ({@link
 * PublishSession}, {@link Sessions}).
 */
public final class RabbitDestination implements Destination {
    /** The header with the key of the message, for consumers and for exchanges that hash it. */
    public static final String KEY_HEADER = "event-key";

    private final RabbitOptions options;
    private final RabbitErrors errors;
    private final Sessions<PublishSession> sessions;
    private final ScheduledThreadPoolExecutor watch;

    private RabbitDestination(RabbitOptions options) {
        this.options = options;
        this.errors = new RabbitErrors(options.address().toString());
        this.sessions = new Sessions<>("RabbitMQ at " + errors.broker(), this::open);
        this.watch = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "waybill-rabbitmq-watch");
            daemon.setDaemon(true);
            return daemon;
        });
        long interval = Math.max(10, options.confirmTimeout().toMillis() / 20);
        ScheduledFuture<?> unused =
                watch.scheduleWithFixedDelay(this::checkProgress, interval, interval, TimeUnit.MILLISECONDS);
    }

    /** Connects when the first event is published, so RabbitMQ need not be available yet. */
    public static RabbitDestination of(RabbitOptions options) {
        return new RabbitDestination(options);
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(KeyOrder.ONE_AT_A_TIME, options.maxMessageBytes());
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return sessions.publish(batch, seen);
    }

    private PublishSession open() {
        PublishSession opened = new PublishSession(options, errors);
        opened.start();
        return opened;
    }

    private void checkProgress() {
        PublishSession current = sessions.current();
        if (current != null) {
            current.checkProgress();
        }
    }

    @Override
    public void abort() {
        sessions.abort();
    }

    @Override
    public void close() {
        sessions.close();
        watch.shutdownNow();
    }

    @Override
    public String toString() {
        return "RabbitMQ at " + errors.broker();
    }
}
