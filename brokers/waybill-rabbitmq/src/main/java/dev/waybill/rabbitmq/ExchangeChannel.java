package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.spi.Delivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The channel for messages to one exchange, and the unconfirmed messages on it. One thread publishes; confirms and returns arrive
 * on the connection's thread.
 *
 * <p>A return names only the message's id. So a second message with the same id waits until the first is settled; otherwise it
 * would be unknown which of them was returned.
 */
final class ExchangeChannel implements ConfirmListener, ReturnListener {
    private final String exchange;
    private final Channel channel;
    private final RabbitErrors errors;
    private final Consumer<Outgoing> sendAgain;

    private final Unconfirmed unconfirmed = new Unconfirmed();
    private final Map<String, Outgoing> byId = new HashMap<>();

    /**
     * @param sendAgain receives messages that waited for another one with the same id
     */
    ExchangeChannel(String exchange, Channel channel, RabbitErrors errors, Consumer<Outgoing> sendAgain) {
        this.exchange = exchange;
        this.channel = channel;
        this.errors = errors;
        this.sendAgain = sendAgain;
    }

    String exchange() {
        return exchange;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /**
     * @throws com.rabbitmq.client.AlreadyClosedException if the channel is closed; the message is then among the unconfirmed
     *     ones too
     */
    void publish(Outgoing message) throws IOException {
        synchronized (this) {
            Outgoing first = byId.putIfAbsent(message.id(), message);
            if (first != null) {
                first.waiting().add(message);
                return;
            }
            message.sending();
            unconfirmed.add(channel.getNextPublishSeqNo(), message);
        }
        channel.basicPublish(exchange, message.topic(), true, message.properties(), message.body());
    }

    @Override
    public void handleReturn(
            int replyCode, String replyText, String fromExchange, String key, BasicProperties properties, byte[] body) {
        synchronized (this) {
            Outgoing message = byId.get(properties.getMessageId());
            if (message != null) {
                message.returned(replyCode + " " + replyText);
            }
        }
    }

    @Override
    public void handleAck(long number, boolean multiple) {
        for (Outgoing message : settle(number, multiple)) {
            String returned = message.returned();
            message.answer(returned == null ? Delivery.DELIVERED : errors.returned(message, returned));
        }
    }

    @Override
    public void handleNack(long number, boolean multiple) {
        for (Outgoing message : settle(number, multiple)) {
            message.answer(errors.nacked(message));
        }
    }

    private synchronized List<Outgoing> settle(long number, boolean multiple) {
        List<Outgoing> settled = unconfirmed.take(number, multiple);
        for (Outgoing message : settled) {
            byId.remove(message.id());
            for (Outgoing next = message.waiting().poll();
                    next != null;
                    next = message.waiting().poll()) {
                sendAgain.accept(next);
            }
        }
        notifyAll();
        return settled;
    }

    /** Removes everything that is not settled from this channel, oldest first. */
    synchronized List<Outgoing> takeAll() {
        List<Outgoing> all = new ArrayList<>();
        for (Outgoing message : unconfirmed.takeAll()) {
            all.add(message);
            all.addAll(message.waiting());
            message.waiting().clear();
        }
        byId.clear();
        return all;
    }

    @Nullable ShutdownSignalException closeReason() {
        return channel.getCloseReason();
    }

    /** Closes the channel, whatever is in flight on it. */
    void abandon() throws IOException {
        channel.abort();
    }

    /** Waits until everything on it is settled, the channel is closed, or the time is up. */
    synchronized boolean awaitSettled(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        while (!unconfirmed.isEmpty() && channel.isOpen()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            // The close of a channel is not signalled here, so check periodically.
            wait(Math.min(100, left / 1_000_000 + 1));
        }
        return unconfirmed.isEmpty();
    }
}
