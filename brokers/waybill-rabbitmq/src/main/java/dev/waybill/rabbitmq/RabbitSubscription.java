package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Listener;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection with one consuming channel. It does not recover: when the channel is closed, RabbitMQ redelivers all
 * unacknowledged messages to others, so those that are still held here are void.
 */
final class RabbitSubscription implements Subscription {
    private static final Logger log = LoggerFactory.getLogger(RabbitSubscription.class);
    private static final int CLOSE_MILLIS = 5_000;

    private final RabbitErrors errors;
    private final List<String> queues;
    private final Listener listener;
    private final Connection connection;
    private final Channel channel;
    private final Arrivals arrivals = new Arrivals();
    /** Acknowledging a message twice would close the channel. */
    private final Set<Long> open = new HashSet<>();

    private final Outstanding outstanding;
    private boolean closed;

    private RabbitSubscription(
            RabbitErrors errors, List<String> queues, Listener listener, Line line, Prefetch prefetch) {
        this.errors = errors;
        this.queues = queues;
        this.listener = listener;
        this.connection = line.connection();
        this.channel = line.channel();
        this.outstanding = new Outstanding(prefetch, why -> {
            arrivals.fail(new IOException(why));
            line.cut();
        });
    }

    /** @param socket closing it ends the connection at once, in any state */
    private record Line(
            Connection connection,
            Channel channel,
            @Nullable Socket socket) {
        void cut() {
            try {
                if (socket != null) {
                    socket.close();
                }
            } catch (IOException e) {
                log.debug("A connection did not close cleanly.", e);
            }
        }
    }

    /** @throws SourceException when RabbitMQ is unavailable or refuses */
    static RabbitSubscription open(RabbitOptions options, List<String> queues, Prefetch prefetch, Listener listener) {
        AtomicReference<@Nullable Socket> socket = new AtomicReference<>();
        RabbitErrors errors = new RabbitErrors(options.address().toString());
        Connection connection;
        try {
            connection = new Connector(options).connect(socket::set);
        } catch (IOException | TimeoutException | GeneralSecurityException | ShutdownSignalException e) {
            throw errors.cannotConsume(queues, e);
        }
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                throw new IOException("the broker allows no further channel");
            }
            TopologyDeclaration.declare(options.topology(), channel);
            channel.basicQos(prefetch.messages());
            Line line = new Line(connection, channel, socket.get());
            RabbitSubscription made = new RabbitSubscription(errors, queues, listener, line, prefetch);
            for (String queue : queues) {
                channel.basicConsume(queue, false, made.new Queue(queue));
            }
            return made;
        } catch (IOException | ShutdownSignalException e) {
            connection.abort(CLOSE_MILLIS);
            throw errors.cannotConsume(queues, e);
        }
    }

    /** RabbitMQ's callbacks for one queue, on a thread of the client. */
    private final class Queue extends DefaultConsumer {
        private final String name;

        private Queue(String name) {
            super(channel);
            this.name = name;
        }

        @Override
        public void handleDelivery(String consumerTag, Envelope envelope, BasicProperties properties, byte[] body) {
            RabbitMessage message = RabbitMessage.of(RabbitSubscription.this, name, envelope, properties, body);
            if (outstanding.add(name, message.bytes())) {
                arrivals.add(message);
            }
        }

        @Override
        public void handleCancel(String consumerTag) {
            arrivals.fail(new IOException("the queue " + name + " no longer exists"));
        }

        @Override
        public void handleShutdownSignal(String consumerTag, ShutdownSignalException words) {
            arrivals.fail(words);
        }
    }

    @Override
    public List<InboundMessage> poll(Duration wait, int atMost) {
        outstanding.grow().ifPresent(why -> {
            throw errors.consumingFailed(queues, new IOException(why));
        });
        List<InboundMessage> given = List.of();
        try {
            given = arrivals.take(wait, atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        arrivals.failure().ifPresent(why -> {
            throw errors.consumingFailed(queues, why);
        });
        for (InboundMessage each : given) {
            if (each instanceof RabbitMessage message) {
                open.add(message.tag());
            }
        }
        return given;
    }

    @Override
    public void acknowledge(Collection<InboundMessage> done) {
        try {
            for (InboundMessage each : done) {
                if (each instanceof RabbitMessage message && message.from() == this && open.remove(message.tag())) {
                    // Before the acknowledgement, because after it the next message may arrive at any time.
                    outstanding.remove(message.topic(), message.bytes());
                    channel.basicAck(message.tag(), false);
                }
            }
        } catch (IOException | ShutdownSignalException e) {
            throw errors.consumingFailed(queues, e);
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (channel.isOpen()) {
                listener.revoked(this, message -> message instanceof RabbitMessage ours && ours.from() == this);
                // The reply is sent after all earlier acknowledgements were processed.
                channel.close();
            }
            connection.close(AMQP.REPLY_SUCCESS, "closed", CLOSE_MILLIS);
        } catch (IOException | TimeoutException | ShutdownSignalException | SourceException e) {
            log.debug("The consumer of {} did not close cleanly: unacknowledged messages are redelivered.", queues, e);
            connection.abort(CLOSE_MILLIS);
        }
    }
}
