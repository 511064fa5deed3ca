package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.LettersWornException;
import dev.waybill.spi.SourceException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters in a queue of RabbitMQ. A queue cannot be browsed: letters are taken from it, and return to their positions when
 * the channel that took them is closed. Until then no other client sees them. Letters that {@link #find}, {@link #sendBack} and
 * {@link #discard} took during a search are kept for the next call, and return with {@link #list} or {@link #close}, or after five
 * seconds without a call. Calls on one box run one after the other.
 *
 * <p>A message is sent back to its queue, so that only the consumer that gave it up gets it again.
 */
public final class RabbitDeadLetters implements DeadLetterBox, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RabbitDeadLetters.class);
    private static final int CLOSE_MILLIS = 5_000;
    /** After this time without a call, letters return to the queue. */
    private static final Duration IDLE = Duration.ofSeconds(5);
    /** Less than the half hour after which RabbitMQ closes a channel that acknowledges nothing. */
    private static final Duration MOST_HELD = Duration.ofMinutes(10);

    /** Half of RabbitMQ's default delivery limit: the rest is for those who send letters back or discard them. */
    private static final int MOST_READINGS = 10;

    private final RabbitOptions options;
    private final RabbitErrors errors;
    private @Nullable Connection connection;
    /** The socket of the connection. */
    private @Nullable Socket socket;

    private @Nullable HeldLetters held;
    private final WornQueues worn;
    private @Nullable SendBackChannel sendingBack;
    private long lastUse;
    private boolean watched;

    private RabbitDeadLetters(RabbitOptions options, int mostReadings) {
        this.options = options;
        this.worn = new WornQueues(mostReadings);
        this.errors = new RabbitErrors(options.address().toString());
    }

    /** Connects when it is first used. Uses only the address, credentials and timeouts of the options. */
    public static RabbitDeadLetters of(RabbitOptions options) {
        return of(options, MOST_READINGS);
    }

    /**
     * @param mostReadings how often letters of a quorum queue are listed, before they are only sent back or discarded. Must be less
     *     than the queue's delivery limit; {@link Integer#MAX_VALUE} if it has none
     */
    public static RabbitDeadLetters of(RabbitOptions options, int mostReadings) {
        return new RabbitDeadLetters(options, mostReadings);
    }

    /**
     * @throws LettersWornException if a letter was read so often that RabbitMQ may give it up: reading counts as a delivery in a quorum
     *     queue, and those have a limit of 20 by default since RabbitMQ 4.0
     */
    @Override
    public synchronized List<DeadLetterEntry> list(String topic, int atMost) {
        if (worn.isKnown(topic)) {
            worn.requireThatSomeLeft(topic, () -> returnedSize(topic).orElse(0));
        }
        return read(topic, atMost, letter -> worn.look(topic, letter));
    }

    @Override
    public List<DeadLetterEntry> choose(String topic, int atMost) {
        return read(topic, atMost, letter -> {});
    }

    private List<DeadLetterEntry> read(String topic, int atMost, Consumer<RabbitMessage> look) {
        return onChannel(topic, channel -> {
            List<DeadLetterEntry> letters = new ArrayList<>();
            while (letters.size() < atMost) {
                Optional<RabbitMessage> next = HeldLetters.next(channel, topic);
                if (next.isEmpty()) {
                    break;
                }
                look.accept(next.get());
                letters.add(DeadLetterEntry.of(topic, next.get()));
            }
            return letters;
        });
    }

    @Override
    public boolean takesToRead() {
        return true;
    }

    /** Clients cannot list queues: the queues of the topology, and for each the queue that its dead letters go to by default. */
    @Override
    public Set<String> topics() {
        Set<String> queues = new TreeSet<>();
        options.topology()
                .queues()
                .forEach(queue -> queues.add(queue.name().endsWith(SUFFIX) ? queue.name() : queue.name() + SUFFIX));
        return queues;
    }

    /** Tells only totals: to read a letter counts as a delivery of it, and RabbitMQ may limit deliveries. */
    @Override
    public synchronized List<DeadLetterCount> count(Collection<String> topics, int atMost) {
        List<DeadLetterCount> counts = new ArrayList<>();
        for (String queue : new TreeSet<>(topics)) {
            returnedSize(queue).ifPresent(count -> counts.add(new DeadLetterCount(queue, count, true, Map.of())));
        }
        return counts;
    }

    /** After taken letters have returned. */
    private OptionalInt returnedSize(String queue) {
        return orCut(queue, () -> {
            giveBack();
            return size(queue);
        });
    }

    /** On its own channel, which the broker closes if there is no such queue. */
    private OptionalInt size(String queue) throws IOException, TimeoutException, GeneralSecurityException {
        Channel channel = newChannel();
        try {
            int letters = channel.queueDeclarePassive(queue).getMessageCount();
            channel.close();
            return OptionalInt.of(letters);
        } catch (IOException e) {
            if (RabbitErrors.isNotFound(e)) {
                return OptionalInt.empty();
            }
            throw e;
        }
    }

    @Override
    public Optional<DeadLetterEntry> find(String topic, String place) {
        return among(topic, letters -> letters.message(place).map(letter -> DeadLetterEntry.of(topic, letter)));
    }

    @Override
    public boolean sendBack(DeadLetterEntry letter, Actor by) {
        return among(letter.topic(), letters -> {
            Optional<RabbitMessage> found = letters.message(letter.place());
            if (found.isPresent()) {
                sendingBack().send(found.get(), letter);
                done(letters, found.get(), "sent back", by);
            }
            return found.isPresent();
        });
    }

    @Override
    public boolean discard(DeadLetterEntry letter, Actor by) {
        return among(letter.topic(), letters -> {
            Optional<RabbitMessage> found = letters.message(letter.place());
            if (found.isPresent()) {
                done(letters, found.get(), "discarded", by);
            }
            return found.isPresent();
        });
    }

    private static void done(HeldLetters letters, RabbitMessage letter, String action, Actor by) throws IOException {
        letters.acknowledge(letter);
        log.info("The dead letter {} was {} by {} ({}).", letter.place(), action, by.who(), by.why());
    }

    private SendBackChannel sendingBack() throws IOException, TimeoutException, GeneralSecurityException {
        SendBackChannel current = sendingBack;
        if (current == null || !current.isOpen()) {
            current = SendBackChannel.on(newChannel(), options.confirmTimeout());
            sendingBack = current;
        }
        return current;
    }

    /** An operation on letters. */
    private interface Work<L, R> {
        R run(L letters) throws IOException, TimeoutException, GeneralSecurityException, InterruptedException;
    }

    /** Runs an operation with the letters that earlier calls have taken. */
    private synchronized <R> R among(String queue, Work<HeldLetters, R> work) {
        return orCut(queue, () -> {
            HeldLetters letters = held;
            boolean usable = letters != null
                    && letters.channel().isOpen()
                    && letters.isOf(queue)
                    && letters.isComplete()
                    && letters.age() < MOST_HELD.toNanos();
            if (letters == null || !usable) {
                giveBack();
                letters = new HeldLetters(newChannel(), queue);
                held = letters;
            }
            try {
                return work.run(letters);
            } finally {
                lastUse = System.nanoTime();
                giveBackLater();
            }
        });
    }

    /** Runs an operation on a new channel, with all letters in the queue. */
    private synchronized <R> R onChannel(String queue, Work<Channel, R> work) {
        return orCut(queue, () -> {
            giveBack();
            Channel channel = newChannel();
            R result;
            try {
                result = work.run(channel);
            } catch (LettersWornException e) {
                channel.close();
                throw e;
            }
            channel.close();
            return result;
        });
    }

    /** Drops a failed connection; RabbitMQ then returns its letters to the queue. */
    private <R> R orCut(String queue, Attempt<R> attempt) {
        boolean whole = false;
        try {
            R result = attempt.run();
            whole = true;
            return result;
        } catch (LetterStaysException | LettersWornException e) {
            whole = true;
            throw e;
        } catch (IOException | TimeoutException | GeneralSecurityException | ShutdownSignalException e) {
            throw errors.deadLettersFailed(queue, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException(
                    "Interrupted; the dead letter may have been sent back and still be in its queue.", e);
        } finally {
            if (!whole) {
                cut();
            }
        }
    }

    private interface Attempt<R> {
        R run() throws IOException, TimeoutException, GeneralSecurityException, InterruptedException;
    }

    private Channel newChannel() throws IOException, TimeoutException, GeneralSecurityException {
        @Nullable Channel channel = connected().createChannel();
        if (channel == null) {
            throw new IOException("the broker allows no further channel");
        }
        return channel;
    }

    /** Taken letters return to their positions. */
    private void giveBack() throws IOException, TimeoutException {
        HeldLetters letters = held;
        held = null;
        if (letters != null && letters.channel().isOpen()) {
            // A closed channel's letters return some time after the broker's answer; recovered ones have returned.
            letters.channel().basicRecover(true);
            letters.channel().close();
        }
    }

    private void giveBackLater() {
        if (!watched) {
            watched = true;
            CompletableFuture.delayedExecutor(IDLE.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::giveBackWhenIdle);
        }
    }

    private synchronized void giveBackWhenIdle() {
        watched = false;
        if (held != null && System.nanoTime() - lastUse < IDLE.toNanos()) {
            giveBackLater();
        } else {
            giveBackQuietly();
        }
    }

    private void giveBackQuietly() {
        try {
            giveBack();
        } catch (IOException | TimeoutException | ShutdownSignalException e) {
            log.debug("A channel did not close cleanly.", e);
            cut();
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

    /** Closes the connection in any state; RabbitMQ returns the letters that were taken on it. */
    private void cut() {
        Connection old = connection;
        connection = null;
        held = null;
        sendingBack = null;
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
        giveBackQuietly();
        if (connection != null) {
            connection.abort(AMQP.REPLY_SUCCESS, "closed", CLOSE_MILLIS);
        }
    }
}
