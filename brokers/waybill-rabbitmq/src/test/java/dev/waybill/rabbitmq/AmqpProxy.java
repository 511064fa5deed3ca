package dev.waybill.rabbitmq;

import dev.waybill.embedded.TcpProxy;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stands between clients and RabbitMQ and knows where a request begins, so that one of them can fail: instead of it RabbitMQ
 * gets one that it closes the channel or the connection for, it is dropped with its connection, its reply is, or it hangs and
 * with it whatever follows on its connection.
 */
final class AmqpProxy implements FaultInjection, AutoCloseable {
    private static final Answer MISSING = new Answer("404 for the channel", false);
    private static final Answer FORBIDDEN = new Answer("403 for the channel", false);
    private static final Answer UNFIT = new Answer("406 for the channel", false);
    private static final Answer CONNECTION = new Answer("504 for the connection", false);
    private static final int HEADER_BYTES = 8;
    private static final int UNUSED_CHANNEL = 1_999;

    private final Faults faults = new Faults();
    private final TcpProxy proxy;

    AmqpProxy(Broker broker) {
        this.proxy = new TcpProxy("amqp", () -> broker.server().port(), this::forward);
    }

    private List<TcpProxy.Work> forward(Socket client, Socket broker) throws IOException {
        Link link = new Link(client, broker);
        return List.of(link::forwardRequests, link::forwardReplies);
    }

    int port() {
        return proxy.port();
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.of(Failure.BEFORE, Failure.REPLY_LOST, Failure.DISCONNECTED, Failure.STALL);
    }

    @Override
    public List<Answer> answers() {
        return List.of(MISSING, FORBIDDEN, UNFIT, CONNECTION);
    }

    @Override
    public int openConnections() {
        return proxy.openConnections();
    }

    @Override
    public void close() {
        proxy.close();
    }

    /** One connection of a client, and the one to the broker behind it. */
    private final class Link {
        private final DataInputStream fromClient;
        private final DataOutputStream toClient;
        private final DataInputStream fromBroker;
        private final DataOutputStream toBroker;
        /** How many messages were published on a channel since it has confirms. */
        private final Map<Integer, Long> published = new HashMap<>();

        /** RabbitMQ closes the connection, but answers requests of other channels until then. */
        private boolean ending;

        private volatile Optional<Lost> losing = Optional.empty();

        /** @param message the number of the message whose confirm is lost; 0 for a request with a reply */
        private record Lost(int channel, long message) {
            boolean isMeant(AmqpFrame reply) {
                return reply.isMethod()
                        && reply.channel() == channel
                        && (message == 0 || (reply.method() == AmqpFrame.ACK && reply.acknowledged() >= message));
            }
        }

        Link(Socket client, Socket broker) throws IOException {
            this.fromClient = new DataInputStream(client.getInputStream());
            this.toClient = new DataOutputStream(client.getOutputStream());
            this.fromBroker = new DataInputStream(broker.getInputStream());
            this.toBroker = new DataOutputStream(broker.getOutputStream());
        }

        void forwardRequests() throws IOException {
            byte[] header = fromClient.readNBytes(HEADER_BYTES);
            Optional<Failure> failure = faults.strike("connect");
            if (failure.isPresent() && endsWith(failure.get())) {
                return;
            }
            failure.ifPresent(lost -> losing = Optional.of(new Lost(0, 0)));
            toBroker.write(header);
            toBroker.flush();
            while (forwardRequest()) {
                // The next one.
            }
        }

        /** @return false when the connection ends with it */
        private boolean forwardRequest() throws IOException {
            List<AmqpFrame> request = readRequest();
            AmqpFrame first = request.get(0);
            if (ending && first.channel() != 0) {
                return true;
            }
            if (first.isMethod()) {
                count(first);
                Optional<Failure> failure = faults.strike(first.name());
                if (failure.isPresent()) {
                    if (failure.get() == Failure.BEFORE) {
                        request = raising(first);
                        ending = request.get(0).channel() == UNUSED_CHANNEL;
                    } else if (endsWith(failure.get())) {
                        return false;
                    } else {
                        losing = Optional.of(new Lost(first.channel(), number(first)));
                    }
                }
            }
            for (AmqpFrame frame : request) {
                frame.write(toBroker);
            }
            return true;
        }

        private void count(AmqpFrame request) {
            if (request.method() == AmqpFrame.SELECT_CONFIRMS) {
                published.put(request.channel(), 0L);
            } else if (request.method() == AmqpFrame.PUBLISH) {
                published.merge(request.channel(), 1L, Long::sum);
            }
        }

        private long number(AmqpFrame request) {
            return request.method() == AmqpFrame.PUBLISH ? published.get(request.channel()) : 0;
        }

        /** With the content of a message that is published. */
        private List<AmqpFrame> readRequest() throws IOException {
            AmqpFrame first = AmqpFrame.read(fromClient);
            List<AmqpFrame> request = new ArrayList<>(List.of(first));
            long missing = first.isMethod() && first.method() == AmqpFrame.PUBLISH ? Long.MAX_VALUE : 0;
            while (missing > 0) {
                AmqpFrame next = AmqpFrame.read(fromClient);
                if (next.channel() == first.channel()) {
                    missing = next.isContentHeader() ? next.contentSize() : missing - next.payload().length;
                }
                request.add(next);
            }
            return request;
        }

        private boolean endsWith(Failure failure) throws IOException {
            if (failure == Failure.STALL) {
                // The client gives up in the end and closes the connection.
                fromClient.transferTo(DataOutputStream.nullOutputStream());
            }
            return failure != Failure.REPLY_LOST;
        }

        /** What RabbitMQ answers with the error that is asked for. Before a channel is open only the connection can be closed. */
        private List<AmqpFrame> raising(AmqpFrame request) {
            int channel = request.channel();
            Answer answer = faults.answer();
            boolean open = channel != 0 && request.method() != AmqpFrame.OPEN_CHANNEL;
            if (!open || answer.equals(CONNECTION)) {
                return List.of(AmqpFrame.publishNothing(UNUSED_CHANNEL, ""), AmqpFrame.headerOfNothing(UNUSED_CHANNEL));
            }
            if (answer.equals(UNFIT)) {
                return List.of(AmqpFrame.declareExchange(channel, Broker.EXCHANGE, "fanout"));
            }
            String exchange = answer.equals(MISSING) ? "no.such.exchange" : Broker.FORBIDDEN_EXCHANGE;
            return List.of(AmqpFrame.publishNothing(channel, exchange), AmqpFrame.headerOfNothing(channel));
        }

        void forwardReplies() throws IOException {
            AmqpFrame reply = AmqpFrame.read(fromBroker);
            while (!isLost(reply)) {
                reply.write(toClient);
                reply = AmqpFrame.read(fromBroker);
            }
        }

        private boolean isLost(AmqpFrame reply) {
            return losing.filter(lost -> lost.isMeant(reply)).isPresent();
        }
    }
}
