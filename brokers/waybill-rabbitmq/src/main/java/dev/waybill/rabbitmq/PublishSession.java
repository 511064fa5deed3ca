package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.Untraced;
import dev.waybill.spi.support.InFlightBatch;
import dev.waybill.spi.support.InFlightBatch.Place;
import dev.waybill.spi.support.Sessions;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, from the first message to its end. Everything that may block, such as connecting and writing, happens on
 * its own thread, so that the relay's thread never waits; a broker that blocks publishers blocks only this thread.
 *
 * <p>It ends once: when the connection is lost, when RabbitMQ does not confirm in time, or when the relay aborts. Unanswered
 * messages are then {@link Unavailable}, and the socket is reset, so that a broker that had stopped reading does not read them
 * later.
 */
final class PublishSession implements Sessions.Session, ExchangeChannels.Sender {
    private static final Logger log = LoggerFactory.getLogger(PublishSession.class);
    private static final int CLOSE_MILLIS = 5_000;

    private final RabbitOptions options;
    private final RabbitErrors errors;
    private final MessageForm form;
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    /** Batches that are not answered, and when each was published, by the monotonic clock. */
    private final Map<InFlightBatch, Long> open = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable Unavailable> end = new AtomicReference<>();
    private final Thread thread = new Thread(Untraced.task(this::run), "waybill-rabbitmq-publish");
    private volatile @Nullable Socket socket;
    private volatile @Nullable String blocked;

    /** Work for the thread that sends. */
    private interface Task {
        void run(Connection connection, ExchangeChannels channels) throws IOException, InterruptedException;
    }

    PublishSession(RabbitOptions options, RabbitErrors errors) {
        this.options = options;
        this.errors = errors;
        this.form = new MessageForm(errors, options.maxMessageBytes());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public @Nullable Unavailable end() {
        return end.get();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> messages, Seen seen) {
        InFlightBatch batch = new InFlightBatch(messages, seen);
        if (!messages.isEmpty()) {
            open.put(batch, System.nanoTime());
            tasks.add((connection, channels) -> send(batch, channels));
            Unavailable why = end.get();
            if (why != null) {
                answerRest(batch, why);
            }
        }
        return batch.outcomes();
    }

    private void answerRest(InFlightBatch batch, Unavailable why) {
        batch.openPlaces().forEach(place -> answer(place, why));
    }

    private void answer(Place place, Delivery delivery) {
        if (place.answer(delivery)) {
            place.batch().complete();
            open.remove(place.batch());
        }
    }

    private void run() {
        try {
            Connection connection = new Connector(options).connect(this::remember);
            connection.addShutdownListener(this::connectionClosed);
            connection.addBlockedListener(this::block, this::unblock);
            if (declares(connection)) {
                work(connection);
            }
        } catch (IOException | TimeoutException | GeneralSecurityException | ShutdownSignalException e) {
            end(errors.unavailable(e));
        } catch (InterruptedException e) {
            end(errors.aborted());
        } catch (RuntimeException | Error e) {
            log.error(
                    "A defect ends the connection to RabbitMQ at {}; messages in flight are sent again.",
                    errors.broker(),
                    e);
            end(errors.unavailable(e));
        }
    }

    private void work(Connection connection) throws IOException, InterruptedException {
        long patience = options.confirmTimeout().toNanos();
        ExchangeChannels channels = new ExchangeChannels(connection, errors, patience, this);
        while (end.get() == null) {
            tasks.take().run(connection, channels);
        }
    }

    private boolean declares(Connection connection) throws IOException {
        if (options.topology().isEmpty()) {
            return true;
        }
        try {
            Channel channel = connection.createChannel();
            TopologyDeclaration.declare(options.topology(), channel);
            channel.abort();
            return true;
        } catch (IOException e) {
            ShutdownSignalException words = RabbitErrors.answerIn(e);
            if (words == null || words.isHardError()) {
                throw e;
            }
            end(errors.topologyFailed(e));
            return false;
        }
    }

    private void send(InFlightBatch batch, ExchangeChannels channels) throws IOException, InterruptedException {
        List<OutboundMessage> messages = batch.messages();
        for (int i = 0; i < messages.size() && end.get() == null; i++) {
            OutboundMessage message = messages.get(i);
            Optional<Delivery> problem = form.problemWith(message);
            if (problem.isPresent()) {
                answer(new Place(batch, i), problem.get());
                continue;
            }
            awaitUnblocked();
            String exchange = options.exchangeOf(message.topic());
            channels.send(new Outgoing(new Place(batch, i), this::answer, exchange, MessageForm.properties(message)));
        }
    }

    @Override
    public void sendAgain(Outgoing message) {
        tasks.add((connection, channels) -> channels.send(message));
    }

    @Override
    public void channelClosed(ExchangeChannel channel, ShutdownSignalException words) {
        tasks.add((connection, channels) -> channels.closed(channel, words));
    }

    private void connectionClosed(ShutdownSignalException words) {
        if (!words.isInitiatedByApplication()) {
            end(errors.unavailable(words));
        }
    }

    private synchronized void block(String reason) {
        log.warn(
                "RabbitMQ at {} blocks publishers ({}); publishing continues when it unblocks them.",
                errors.broker(),
                reason);
        blocked = reason;
    }

    private synchronized void unblock() {
        blocked = null;
        notifyAll();
    }

    private void awaitUnblocked() throws InterruptedException {
        if (blocked == null) {
            return;
        }
        synchronized (this) {
            while (blocked != null && end.get() == null) {
                wait();
            }
        }
    }

    /** Ends the session if RabbitMQ has not confirmed the oldest batch in time. Called periodically. */
    void checkProgress() {
        long now = System.nanoTime();
        long oldest =
                open.values().stream().mapToLong(since -> now - since).max().orElse(0);
        if (oldest > options.confirmTimeout().toNanos()) {
            int count = open.keySet().stream().mapToInt(InFlightBatch::open).sum();
            end(errors.notConfirmed(count, TimeUnit.NANOSECONDS.toMillis(oldest), blocked));
        }
    }

    /** Answers all open messages with the reason, and sends nothing more. The first reason counts. */
    void end(Unavailable why) {
        if (!end.compareAndSet(null, why)) {
            return;
        }
        reset(socket);
        open.keySet().forEach(batch -> answerRest(batch, why));
        synchronized (this) {
            notifyAll();
        }
        tasks.add((connection, channels) -> {});
    }

    private void remember(Socket made) {
        socket = made;
        if (end.get() != null) {
            reset(made);
        }
    }

    /** Resets the socket: a normal close needs a broker that reads, and a socket that is not blocked in a write. */
    private static void reset(@Nullable Socket socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            log.debug("The socket is closed already: {}", e.toString());
        }
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("The socket did not close cleanly: {}", e.toString());
        }
    }

    @Override
    public void abort(Unavailable why) {
        end(why);
    }

    /** Waits for messages in flight, then closes the connection normally; ends it if that takes too long. */
    @Override
    public void close(Unavailable why) {
        try {
            CompletableFuture.allOf(
                            open.keySet().stream().map(InFlightBatch::outcomes).toArray(CompletableFuture[]::new))
                    .get(options.confirmTimeout().toMillis(), TimeUnit.MILLISECONDS);
            tasks.add((connection, channels) -> {
                connection.close(AMQP.REPLY_SUCCESS, "closed", CLOSE_MILLIS);
                end(why);
            });
            thread.join(CLOSE_MILLIS + 1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.warn(
                    "RabbitMQ at {} did not confirm everything before the close; unconfirmed messages are sent again.",
                    errors.broker());
        }
        end(why);
    }
}
