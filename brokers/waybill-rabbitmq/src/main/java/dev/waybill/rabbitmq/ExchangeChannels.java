package dev.waybill.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.rabbitmq.RabbitErrors.Blame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The channels of one connection, one for each exchange, so that a missing or forbidden exchange closes only its own channel. One
 * thread.
 *
 * <p><b>A closed channel.</b> RabbitMQ closes a channel when it cannot accept one of its messages, and reports nothing about the
 * others in flight on it. Messages identified by its reply text are answered ({@link Blame}); the others are sent once more, which
 * may deliver some of them twice. If the text identifies no message, each is sent alone.
 */
final class ExchangeChannels {
    /** How long a missing or forbidden exchange is not tried again. */
    private static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Connection connection;
    private final RabbitErrors errors;
    private final long patienceNanos;
    private final Sender sender;

    private final Map<String, ExchangeChannel> channels = new HashMap<>();
    private final Map<String, Refusal> refusals = new HashMap<>();
    private long brokersMaxBytes = Long.MAX_VALUE;

    private record Refusal(ShutdownSignalException words, long until) {}

    /** Work for the thread that sends. Called from any thread. */
    interface Sender {
        void sendAgain(Outgoing message);

        void channelClosed(ExchangeChannel channel, ShutdownSignalException words);
    }

    ExchangeChannels(Connection connection, RabbitErrors errors, long patienceNanos, Sender sender) {
        this.connection = connection;
        this.errors = errors;
        this.patienceNanos = patienceNanos;
        this.sender = sender;
    }

    /**
     * @throws IOException if the connection can no longer be used
     * @throws ShutdownSignalException if the connection is closed
     */
    void send(Outgoing message) throws IOException, InterruptedException {
        if (message.size() > brokersMaxBytes) {
            message.answer(errors.tooLarge(message.topic(), message.size(), brokersMaxBytes));
            return;
        }
        Optional<ExchangeChannel> channel = channelFor(message);
        if (channel.isPresent()) {
            publish(channel.get(), message);
        }
    }

    private void publish(ExchangeChannel channel, Outgoing message) throws IOException, InterruptedException {
        try {
            channel.publish(message);
        } catch (AlreadyClosedException e) {
            if (!connection.isOpen()) {
                throw e;
            }
            // The message is among the unconfirmed ones, which are handled when the close is reported.
        } catch (IllegalArgumentException e) {
            // The client has counted it but not sent it, so its delivery numbers now differ from the broker's.
            message.answer(errors.cannotBeEncoded(message.topic(), "the client refuses it"));
            channels.remove(channel.exchange(), channel);
            List<Outgoing> others = channel.takeAll();
            channel.abandon();
            sendAll(others.stream().filter(other -> other != message).toList());
        }
    }

    private void sendAll(List<Outgoing> messages) throws IOException, InterruptedException {
        for (Outgoing message : messages) {
            send(message);
        }
    }

    /** Empty if the exchange accepts no messages; then this one is answered. */
    private Optional<ExchangeChannel> channelFor(Outgoing message) throws IOException {
        ExchangeChannel present = channels.get(message.exchange());
        if (present != null) {
            return Optional.of(present);
        }
        Optional<ExchangeChannel> opened = open(message);
        opened.ifPresent(channel -> channels.put(channel.exchange(), channel));
        return opened;
    }

    private Optional<ExchangeChannel> open(Outgoing message) throws IOException {
        String exchange = message.exchange();
        Refusal refusal = refusals.get(exchange);
        if (refusal != null && System.nanoTime() - refusal.until() < 0) {
            message.answer(errors.whenChannelNotOpened(message, refusal.words()));
            return Optional.empty();
        }
        @Nullable Channel channel = connection.createChannel();
        if (channel == null) {
            message.answer(errors.noChannelLeft(message));
            return Optional.empty();
        }
        try {
            if (!exchange.isEmpty()) {
                channel.exchangeDeclarePassive(exchange);
            }
            return Optional.of(listening(exchange, channel));
        } catch (IOException e) {
            ShutdownSignalException words = RabbitErrors.answerIn(e);
            if (words == null || words.isHardError()) {
                throw e;
            }
            if (errors.blame(words) instanceof Blame.OnExchange) {
                refuse(exchange, words);
            }
            message.answer(errors.whenChannelNotOpened(message, words));
            return Optional.empty();
        }
    }

    private ExchangeChannel listening(String exchange, Channel channel) throws IOException {
        channel.confirmSelect();
        ExchangeChannel opened = new ExchangeChannel(exchange, channel, errors, sender::sendAgain);
        channel.addReturnListener(opened);
        channel.addConfirmListener(opened);
        channel.addShutdownListener(words -> {
            if (!words.isHardError() && !words.isInitiatedByApplication()) {
                sender.channelClosed(opened, words);
            }
        });
        return opened;
    }

    private void refuse(String exchange, ShutdownSignalException words) {
        refusals.put(exchange, new Refusal(words, System.nanoTime() + REFUSAL_NANOS));
    }

    /** Handles the messages in flight on a channel that the broker has closed. */
    void closed(ExchangeChannel channel, ShutdownSignalException words) throws IOException, InterruptedException {
        if (!channels.remove(channel.exchange(), channel)) {
            return;
        }
        Blame blame = errors.blame(words);
        if (blame instanceof Blame.OnExchange) {
            refuse(channel.exchange(), words);
        } else if (blame instanceof Blame.OnSize tooLarge) {
            brokersMaxBytes = tooLarge.maxBytes();
        }
        List<Outgoing> all = channel.takeAll();
        List<Outgoing> others = new ArrayList<>();
        for (Outgoing message : all) {
            if (isOn(message, blame)) {
                message.answer(errors.whenChannelClosed(message, words));
            } else {
                others.add(message);
            }
        }
        if (others.size() < all.size()) {
            sendAll(others);
        } else {
            sendEachAlone(others);
        }
    }

    private static boolean isOn(Outgoing message, Blame blame) {
        if (blame instanceof Blame.OnTopic one) {
            return message.topic().equals(one.topic());
        }
        if (blame instanceof Blame.OnSize tooLarge) {
            return message.size() > tooLarge.maxBytes();
        }
        return blame instanceof Blame.OnExchange;
    }

    private void sendEachAlone(List<Outgoing> messages) throws IOException, InterruptedException {
        Optional<ExchangeChannel> alone = Optional.empty();
        for (Outgoing message : messages) {
            if (alone.isEmpty() || !alone.get().isOpen()) {
                alone = open(message);
            }
            if (alone.isPresent() && !settlesAlone(message, alone.get())) {
                return;
            }
        }
        if (alone.isPresent()) {
            alone.get().abandon();
        }
    }

    /** @return false if the broker has not answered in time and the session is about to end */
    private boolean settlesAlone(Outgoing message, ExchangeChannel channel) throws IOException, InterruptedException {
        try {
            channel.publish(message);
        } catch (AlreadyClosedException e) {
            if (!connection.isOpen()) {
                throw e;
            }
        }
        if (channel.awaitSettled(patienceNanos)) {
            return true;
        }
        ShutdownSignalException words = channel.closeReason();
        if (words != null && !words.isHardError()) {
            channel.takeAll();
            message.answer(errors.whenChannelClosed(message, words));
            return true;
        }
        return false;
    }
}
