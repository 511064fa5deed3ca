package dev.waybill.kafka;

import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Stands between clients and a broker and knows where a request begins, so that one of them can fail: it is dropped with its
 * connection, its reply is, or it hangs and with it whatever follows on its connection.
 */
final class KafkaProxy implements FaultInjection, AutoCloseable {
    private final Faults faults = new Faults();
    private final ServerSocket server;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private volatile int brokerPort;

    KafkaProxy() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    void forwardTo(String bootstrapServers) {
        brokerPort = Integer.parseInt(bootstrapServers.substring(bootstrapServers.indexOf(':') + 1));
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
        return links.size();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        links.forEach(Link::close);
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(String purpose, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One side has closed the connection.
                    }
                },
                "kafka-proxy-" + purpose);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            try {
                Link link = new Link(client, new Socket(InetAddress.getLoopbackAddress(), brokerPort));
                links.add(link);
                start("requests", link::forwardRequests);
                start("replies", link::forwardReplies);
            } catch (IOException e) {
                client.close();
            }
        }
    }

    /** One connection of a client, and the one to the broker behind it. */
    private final class Link {
        private static final int NONE = Integer.MIN_VALUE;

        private final Socket client;
        private final Socket broker;
        /** The request whose reply is to be lost. */
        private volatile int losing = NONE;

        Link(Socket client, Socket broker) throws IOException {
            this.client = client;
            this.broker = broker;
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
        }

        void forwardRequests() throws IOException {
            try {
                DataInputStream in = new DataInputStream(client.getInputStream());
                DataOutputStream out = new DataOutputStream(broker.getOutputStream());
                while (true) {
                    byte[] request = read(in);
                    ByteBuffer header = ByteBuffer.wrap(request);
                    short api = header.getShort(0);
                    Optional<Failure> failure = faults.strike(ApiKeys.forId(api).name);
                    if (failure.isPresent()) {
                        if (failure.get() == Failure.STALL) {
                            // The client gives up in the end and closes the connection.
                            in.transferTo(DataOutputStream.nullOutputStream());
                            return;
                        }
                        if (failure.get() == Failure.BEFORE) {
                            return;
                        }
                        losing = header.getInt(4);
                    }
                    write(out, request);
                }
            } finally {
                close();
            }
        }

        void forwardReplies() throws IOException {
            try {
                DataInputStream in = new DataInputStream(broker.getInputStream());
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                while (true) {
                    byte[] reply = read(in);
                    if (ByteBuffer.wrap(reply).getInt(0) == losing) {
                        return;
                    }
                    write(out, reply);
                }
            } finally {
                close();
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

        void close() {
            links.remove(this);
            try (client;
                    broker) {
                // Both are closed.
            } catch (IOException e) {
                // They are of no more use.
            }
        }
    }
}
