package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.MessageHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of dead letters back to their queues, on its own channel: RabbitMQ closes the channel when it refuses a
 * message, and all letters taken on that channel would return to the queue. A message comes from its letter, so its refusal is
 * not a failure of the broker. One thread.
 */
final class SendBackChannel {
    /** The longest name of a queue in AMQP. */
    private static final int MOST_NAME_BYTES = 255;
    /** The default exchange: every queue is bound to it by its name. */
    private static final String TO_QUEUES = "";

    private final Channel channel;
    private final Duration confirmTimeout;
    private final AtomicReference<@Nullable String> returned = new AtomicReference<>();

    private SendBackChannel(Channel channel, Duration confirmTimeout) {
        this.channel = channel;
        this.confirmTimeout = confirmTimeout;
    }

    static SendBackChannel on(Channel channel, Duration confirmTimeout) throws IOException {
        SendBackChannel way = new SendBackChannel(channel, confirmTimeout);
        channel.confirmSelect();
        channel.addReturnListener(back -> way.returned.set(back.getReplyText()));
        return way;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Returns when RabbitMQ has confirmed that it is in a queue. */
    void send(RabbitMessage letter, DeadLetterEntry entry) throws IOException, TimeoutException, InterruptedException {
        DeadLetterBody body = entry.read(letter);
        body.leftOut().ifPresent(message -> {
            throw new MessageLeftOutException(entry, message.place(), "a queue does not keep acknowledged messages");
        });
        BasicProperties properties = entry.make(() -> {
            MessageHead head = MessageHead.of(letter, body);
            return PropertyHeaders.restored(head.headers(), head.key());
        });
        int nameBytes = entry.origin().getBytes(StandardCharsets.UTF_8).length;
        if (entry.origin().isEmpty() || nameBytes > MOST_NAME_BYTES) {
            throw new LetterStaysException(
                    entry, "it has no valid name of its original queue (" + nameBytes + " bytes): discard it");
        }
        if (!isTaken(entry, properties, body.original())) {
            throw new LetterStaysException(entry, "the queue " + entry.origin() + " does not accept it now (nack)");
        }
        String why = returned.get();
        if (why != null) {
            throw new LetterStaysException(
                    entry,
                    "RabbitMQ has no queue " + entry.origin() + ", the origin of the message (" + why
                            + "): declare it, or discard the letter");
        }
    }

    private boolean isTaken(DeadLetterEntry entry, BasicProperties properties, byte[] message)
            throws IOException, TimeoutException, InterruptedException {
        returned.set(null);
        try {
            channel.basicPublish(TO_QUEUES, entry.origin(), true, properties, message);
            return channel.waitForConfirms(confirmTimeout.toMillis());
        } catch (ShutdownSignalException e) {
            if (RabbitErrors.isOfOneMessage(e)) {
                throw new LetterStaysException(
                        entry, "RabbitMQ does not accept its message (" + RabbitErrors.words(e) + "): discard it");
            }
            throw e;
        } catch (RuntimeException e) {
            // The channel would wait for the confirm of a message that was never sent.
            channel.close();
            throw entry.cannotBeMade(e);
        }
    }
}
