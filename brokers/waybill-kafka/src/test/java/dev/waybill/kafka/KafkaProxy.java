package dev.waybill.kafka;

import dev.waybill.embedded.TcpProxy;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Stands between clients and a broker and knows where a request begins, so that one of them can fail: it is dropped with its
 * connection, its reply is, or it hangs and with it whatever follows on its connection.
 */
final class KafkaProxy implements FaultInjection, AutoCloseable {
    private final Faults faults = new Faults();
    private final TcpProxy proxy = new TcpProxy("kafka", this::brokerPort, this::forward);
    private volatile int brokerPort;

    String address() {
        return "127.0.0.1:" + proxy.port();
    }

    void forwardTo(String bootstrapServers) {
        brokerPort = Integer.parseInt(bootstrapServers.substring(bootstrapServers.indexOf(':') + 1));
    }

    private int brokerPort() {
        return brokerPort;
    }

    private List<TcpProxy.Work> forward(Socket client, Socket broker) throws IOException {
        Link link = new Link(client, broker);
        return List.of(link::forwardRequests, link::forwardReplies);
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.of(Failure.BEFORE, Failure.REPLY_LOST, Failure.STALL);
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
        private static final int NONE = Integer.MIN_VALUE;

        private final DataInputStream fromClient;
        private final DataOutputStream toClient;
        private final DataInputStream fromBroker;
        private final DataOutputStream toBroker;
        /** The request whose reply is to be lost. */
        private volatile int losing = NONE;

        Link(Socket client, Socket broker) throws IOException {
            this.fromClient = new DataInputStream(client.getInputStream());
            this.toClient = new DataOutputStream(client.getOutputStream());
            this.fromBroker = new DataInputStream(broker.getInputStream());
            this.toBroker = new DataOutputStream(broker.getOutputStream());
        }

        void forwardRequests() throws IOException {
            while (true) {
                byte[] request = read(fromClient);
                ByteBuffer header = ByteBuffer.wrap(request);
                Optional<Failure> failure = faults.strike(ApiKeys.forId(header.getShort(0)).name);
                if (failure.isPresent()) {
                    if (failure.get() == Failure.STALL) {
                        // The client gives up in the end and closes the connection.
                        fromClient.transferTo(DataOutputStream.nullOutputStream());
                        return;
                    }
                    if (failure.get() == Failure.BEFORE) {
                        return;
                    }
                    losing = header.getInt(4);
                }
                write(toBroker, request);
            }
        }

        void forwardReplies() throws IOException {
            byte[] reply = read(fromBroker);
            while (ByteBuffer.wrap(reply).getInt(0) != losing) {
                write(toClient, reply);
                reply = read(fromBroker);
            }
        }

        private byte[] read(DataInputStream in) throws IOException {
            byte[] frame = new byte[in.readInt()];
            in.readFully(frame);
            return frame;
        }

        private void write(DataOutputStream out, byte[] frame) throws IOException {
            ByteBuffer whole =
                    ByteBuffer.allocate(4 + frame.length).putInt(frame.length).put(frame);
            out.write(whole.array());
            out.flush();
        }
    }
}
