package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.MessageHead;
import dev.waybill.spi.SourceException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters in a queue of RabbitMQ. A queue cannot be looked into: letters are taken out, and go back to their places when
 * the channel that took them is closed. So long nobody else sees them; who looks for one at that time is told that it is not
 * there. In one box all take turns.
 *
 * <p>A message goes back to the queue it came from, so that nobody but the consumer who gave it up gets it again.
 */
public final class RabbitDeadLetters implements DeadLetterBox, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RabbitDeadLetters.class);
    private static final int CLOSE_MILLIS = 5_000;
    private static final int PLACE_BYTES = 8;
    /** AMQP has no longer name of a queue. */
    private static final int MOST_NAME_BYTES = 255;
    /** The default exchange: every queue is bound to it by its name. */
    private static final String TO_QUEUES = "";

    private final RabbitOptions options;
    private final RabbitErrors errors;
    private @Nullable Connection connection;
    /** Of the connection. */
    private @Nullable Socket socket;

    private RabbitDeadLetters(RabbitOptions options) {
        this.options = options;
        this.errors = new RabbitErrors(options.address().toString());
    }

    /** Connects when it is first used. Of the options it matters how to reach RabbitMQ, and how long to wait. */
    public static RabbitDeadLetters connect(RabbitOptions options) {
        return new RabbitDeadLetters(options);
    }

    @Override
    public List<DeadLetterEntry> list(String topic, int atMost) {
        return onChannel(topic, channel -> {
            List<DeadLetterEntry> letters = new ArrayList<>();
            while (letters.size() < atMost) {
                Optional<RabbitMessage> next = next(channel, topic);
                if (next.isEmpty()) {
                    break;
                }
                letters.add(DeadLetterEntry.of(topic, next.get()));
            }
            return letters;
        });
    }

    @Override
    public Optional<DeadLetterEntry> find(String topic, String place) {
        return onChannel(
                topic, channel -> find(channel, topic, place).map(letter -> DeadLetterEntry.of(topic, letter)));
    }

    @Override
    public boolean sendBack(DeadLetterEntry letter, Actor by) {
        return onChannel(letter.topic(), channel -> {
            Optional<RabbitMessage> found = find(channel, letter.topic(), letter.place());
            if (found.isPresent()) {
                publish(channel, found.get(), letter);
                done(channel, found.get(), "sent back", by);
            }
            return found.isPresent();
        });
    }

    @Override
    public boolean discard(DeadLetterEntry letter, Actor by) {
        return onChannel(letter.topic(), channel -> {
            Optional<RabbitMessage> found = find(channel, letter.topic(), letter.place());
            if (found.isPresent()) {
                done(channel, found.get(), "discarded", by);
            }
            return found.isPresent();
        });
    }

    private static Optional<RabbitMessage> find(Channel channel, String queue, String place) throws IOException {
        Optional<RabbitMessage> next = next(channel, queue);
        while (next.isPresent() && !next.get().place().equals(place)) {
            next = next(channel, queue);
        }
        return next;
    }

    /** Stays ours until the channel is closed. */
    private static Optional<RabbitMessage> next(Channel channel, String queue) throws IOException {
        @Nullable GetResponse got = channel.basicGet(queue, false);
        if (got == null) {
            return Optional.empty();
        }
        return Optional.of(RabbitMessage.letter(channel, queue, queue + "#" + fingerprint(got.getBody()), got));
    }

    /** A letter has no number in its queue. It is known by what it says: that has the time of its failure in it. */
    private static String fingerprint(byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            return HexFormat.of().formatHex(digest, 0, PLACE_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }

    /** Returns when RabbitMQ has put it into a queue. */
    private void publish(Channel channel, RabbitMessage letter, DeadLetterEntry entry)
            throws IOException, TimeoutException, InterruptedException {
        AtomicReference<@Nullable String> returned = new AtomicReference<>();
        DeadLetterBody body = entry.read(letter);
        MessageHead head = MessageHead.of(letter, body);
        BasicProperties properties = PropertyHeaders.restored(head.headers(), head.key());
        body.leftOut().ifPresent(message -> {
            throw new MessageLeftOutException(entry, message.place(), "a queue does not keep what was acknowledged");
        });
        int nameBytes = entry.origin().getBytes(StandardCharsets.UTF_8).length;
        if (entry.origin().isEmpty() || nameBytes > MOST_NAME_BYTES) {
            throw new LetterStaysException(
                    entry, "it names no queue that it came from (" + nameBytes + " bytes): discard it");
        }
        channel.confirmSelect();
        channel.addReturnListener(back -> returned.set(back.getReplyText()));
        try {
            channel.basicPublish(TO_QUEUES, entry.origin(), true, properties, body.original());
        } catch (IllegalArgumentException e) {
            throw new LetterStaysException(entry, "AMQP cannot carry its headers (" + e.getMessage() + ")");
        }
        boolean taken = channel.waitForConfirms(options.confirmTimeout().toMillis());
        String why = returned.get();
        if (why != null) {
            throw new LetterStaysException(
                    entry,
                    "RabbitMQ has no queue " + entry.origin() + " that it came from (" + why
                            + "): declare it, or discard the letter");
        }
        if (!taken) {
            throw new LetterStaysException(entry, "the queue " + entry.origin() + " does not take it now (nack)");
        }
    }

    private static void done(Channel channel, RabbitMessage letter, String action, Actor by) throws IOException {
        channel.basicAck(letter.tag(), false);
        log.info("The dead letter {} was {} by {} ({}).", letter.place(), action, by.who(), by.why());
    }

    /** Something to do with letters that are ours for so long. */
    private interface Work<R> {
        R run(Channel channel) throws IOException, TimeoutException, InterruptedException;
    }

    private synchronized <R> R onChannel(String queue, Work<R> work) {
        boolean closed = false;
        try {
            @Nullable Channel channel = connected().createChannel();
            if (channel == null) {
                throw new IOException("the broker gives no channel");
            }
            R result;
            try {
                result = work.run(channel);
            } catch (LetterStaysException e) {
                channel.close();
                closed = true;
                throw e;
            }
            // Answered after every acknowledgement before it was taken in: without it nothing is known to be done.
            channel.close();
            closed = true;
            return result;
        } catch (IOException | TimeoutException | GeneralSecurityException | ShutdownSignalException e) {
            throw errors.deadLettersFailed(queue, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException("Interrupted; the dead letter may have been sent back and be there still.", e);
        } finally {
            if (!closed) {
                cut();
            }
        }
    }

    private Connection connected() throws IOException, TimeoutException, GeneralSecurityException {
        Connection current = connection;
        if (current == null || !current.isOpen()) {
            current = new Connector(options).connect(made -> socket = made);
            connection = current;
        }
        return current;
    }

    /** Whatever state the connection is in: RabbitMQ puts the letters back that were taken on it. */
    private void cut() {
        Connection old = connection;
        connection = null;
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            log.debug("A connection did not close cleanly.", e);
        }
        if (old != null) {
            old.abort(CLOSE_MILLIS);
        }
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            connection.abort(AMQP.REPLY_SUCCESS, "closed", CLOSE_MILLIS);
        }
    }
}
