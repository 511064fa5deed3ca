package dev.waybill.standin;

import dev.waybill.embedded.TcpProxy;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;

/**
 * Stands between clients and the in-memory server, on whose threads nothing may wait. A command that meets a document of an
 * open transaction waits here until that has ended. A command that is to fail ({@link CommandFaults}) is answered with an error,
 * is dropped with its connection, or its reply is.
 */
final class MongoProxy implements AutoCloseable {
    /** In the reply to a command that has to wait for a transaction to end. */
    static final String WAITS = "waits for the end of another transaction";

    private static final int HEADER_BYTES = 16;
    private static final int OP_MSG = 2013;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

    private final TcpProxy proxy;
    private final CommandFaults faults;
    private final AtomicInteger waiting = new AtomicInteger();

    MongoProxy(int serverPort, CommandFaults faults) {
        this.faults = faults;
        this.proxy = new TcpProxy("mongo", () -> serverPort, (client, server) -> {
            Link link = new Link(client, server);
            return List.of(link::serve);
        });
    }

    int port() {
        return proxy.port();
    }

    /** How many commands wait for a transaction to end. */
    int waiting() {
        return waiting.get();
    }

    @Override
    public void close() {
        proxy.close();
    }

    /** One connection of a client. A client waits for the reply before it sends again. */
    private final class Link {
        private final Socket client;
        private final DataInputStream fromClient;
        private final DataInputStream fromServer;
        private final OutputStream toServer;

        Link(Socket client, Socket server) throws IOException {
            this.client = client;
            this.fromClient = new DataInputStream(client.getInputStream());
            this.fromServer = new DataInputStream(server.getInputStream());
            this.toServer = server.getOutputStream();
        }

        void serve() throws IOException {
            while (serveOne()) {
                // The next one.
            }
        }

        /** @return false when the connection ends */
        private boolean serveOne() throws IOException {
            byte[] request = read(fromClient);
            Optional<CommandFaults.Fault> fault = faults.take(header(request).getInt(4));
            if (fault.isPresent()) {
                return fail(request, fault.get());
            }
            send(ask(request));
            return true;
        }

        private boolean fail(byte[] request, CommandFaults.Fault fault) throws IOException {
            if (fault.isExecuted()) {
                ask(request);
            }
            if (fault.answer().isEmpty()) {
                return false;
            }
            send(message(header(request).getInt(4), fault.answer().get()));
            return true;
        }

        private byte[] ask(byte[] request) throws IOException {
            byte[] reply = exchange(request);
            if (!isToWait(reply)) {
                return reply;
            }
            waiting.incrementAndGet();
            while (isToWait(reply)) {
                LockSupport.parkNanos(LOOK_AGAIN.toNanos());
                reply = exchange(request);
            }
            waiting.decrementAndGet();
            return reply;
        }

        private boolean isToWait(byte[] reply) {
            return reply.length < 1_000 && new String(reply, StandardCharsets.ISO_8859_1).contains(WAITS);
        }

        private byte[] exchange(byte[] request) throws IOException {
            toServer.write(request);
            toServer.flush();
            return read(fromServer);
        }

        private void send(byte[] reply) throws IOException {
            client.getOutputStream().write(reply);
            client.getOutputStream().flush();
        }
    }

    private static ByteBuffer header(byte[] message) {
        return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] read(InputStream in) throws IOException {
        byte[] length = in.readNBytes(4);
        if (length.length < 4) {
            throw new IOException("The connection was closed.");
        }
        byte[] message = new byte[header(length).getInt(0)];
        System.arraycopy(length, 0, message, 0, 4);
        if (in.readNBytes(message, 4, message.length - 4) < message.length - 4) {
            throw new IOException("The connection was closed within a message.");
        }
        return message;
    }

    private static byte[] message(int replyTo, BsonDocument document) {
        BasicOutputBuffer body = new BasicOutputBuffer();
        try (BsonBinaryWriter writer = new BsonBinaryWriter(body)) {
            new BsonDocumentCodec()
                    .encode(writer, document, EncoderContext.builder().build());
        }
        byte[] bytes = body.toByteArray();
        int length = HEADER_BYTES + 5 + bytes.length;
        return header(new byte[length])
                .putInt(length)
                .putInt(0)
                .putInt(replyTo)
                .putInt(OP_MSG)
                .putInt(0)
                .put((byte) 0)
                .put(bytes)
                .array();
    }
}
