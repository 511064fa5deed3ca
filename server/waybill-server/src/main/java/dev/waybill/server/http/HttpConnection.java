package dev.waybill.server.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One request and its answer, in steps that never block. Used by the server's thread only. */
final class HttpConnection {
    /** The longest request line with headers. */
    private static final int LONGEST_HEAD = 16_384;

    private static final int FIRST_BYTES = 1_024;

    /** A carriage return or a line feed alone ends no line: a proxy may take it for a part of a header. */
    private static final Pattern LINE_END = Pattern.compile("\r\n");

    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private enum Phase {
        HEAD,
        BODY,
        /** A worker makes the answer. */
        WORKING,
        WRITING,
        STREAMING,
        /** Everything is written, and the client has not closed yet. */
        CLOSING
    }

    /** What the connection asks of its server. */
    interface Host {
        /** @return false if there is no room for a body of this size now, even if others that wait for theirs are closed */
        boolean reserve(int bodyBytes);

        void release(int bodyBytes);

        /** Makes an answer, at once or later with {@link HttpConnection#answer}. */
        void serve(Request request, HttpConnection connection);

        /** Calls {@link HttpConnection#goOn} soon; from any thread. */
        void wake(HttpConnection connection);
    }

    private final SocketChannel channel;
    private final SelectionKey key;
    private final Host host;
    private Phase phase = Phase.HEAD;
    private long since = System.nanoTime();
    private ByteBuffer input = ByteBuffer.allocate(FIRST_BYTES);
    /** How many bytes of the head were looked at. */
    private int looked;

    private int reserved;
    private @Nullable Request request;
    private ByteBuffer[] output = new ByteBuffer[0];
    private @Nullable EventStream stream;

    HttpConnection(SocketChannel channel, SelectionKey key, Host host) {
        this.channel = channel;
        this.key = key;
        this.host = host;
    }

    /** Whether it has been waiting for its client for this long. */
    boolean waitsLongerThan(Duration time) {
        return waitsForClient() && System.nanoTime() - since > time.toNanos();
    }

    /** Whether memory is reserved for a body that its client has not sent. */
    boolean waitsForBody() {
        return phase == Phase.BODY && reserved > 0;
    }

    /** Whether it can be closed in favour of a new one. */
    boolean waitsForClient() {
        return phase != Phase.WORKING && phase != Phase.STREAMING;
    }

    /**
     * Continues as far as possible without blocking.
     *
     * @return false if the connection is finished
     */
    boolean goOn() {
        try {
            return switch (phase) {
                case HEAD -> readHead();
                case BODY -> readBody();
                case WORKING -> true;
                case WRITING -> write();
                case STREAMING -> stream();
                case CLOSING -> skipRest();
            };
        } catch (IOException e) {
            // The client has disconnected.
            return false;
        }
    }

    private boolean readHead() throws IOException {
        if (channel.read(input) < 0) {
            return false;
        }
        try {
            int end = headEnd();
            if (end >= 0) {
                return head(new String(input.array(), 0, end, StandardCharsets.ISO_8859_1), end);
            }
            if (input.position() >= LONGEST_HEAD) {
                throw new MalformedRequestException("431 Request Header Fields Too Large", "The request is too long.");
            }
        } catch (MalformedRequestException e) {
            return answer(e.answer(), true);
        }
        if (!input.hasRemaining()) {
            input = ByteBuffer.allocate(input.capacity() * 2).put(input.flip());
        }
        return true;
    }

    /**
     * Looks at new bytes only: a client may send them one by one.
     *
     * @return the place after the head; -1 if it has not ended
     */
    private int headEnd() {
        byte[] bytes = input.array();
        while (looked < input.position()) {
            int at = looked++;
            if (bytes[at] == '\n') {
                if (at == 0 || bytes[at - 1] != '\r') {
                    throw new MalformedRequestException(
                            "400 Bad Request", "Lines of a request end with a carriage return and a line feed.");
                }
                if (at >= 3 && bytes[at - 2] == '\n') {
                    return looked;
                }
            }
        }
        return -1;
    }

    private boolean head(String text, int end) throws IOException {
        List<String> lines =
                LINE_END.splitAsStream(text).takeWhile(line -> !line.isEmpty()).toList();
        RequestHead head = RequestHead.of(lines, ((InetSocketAddress) channel.getRemoteAddress()).getAddress());
        request = head.request();
        int length = head.bodyLength();
        if (!host.reserve(length)) {
            throw new MalformedRequestException("503 Service Unavailable", "Too many requests at once; try again.");
        }
        reserved = length;
        ByteBuffer body = ByteBuffer.allocate(length);
        input.flip().position(end);
        input.limit(Math.min(input.limit(), end + length));
        body.put(input);
        input = body;
        phase = Phase.BODY;
        if (body.position() == 0 && head.waitsForLeave()) {
            // Nothing was sent before, so the few bytes fit.
            channel.write(ByteBuffer.wrap(CONTINUE));
        }
        return readBody();
    }

    private boolean readBody() throws IOException {
        if (input.hasRemaining() && channel.read(input) < 0) {
            return false;
        }
        Request whole = request;
        if (!input.hasRemaining() && whole != null) {
            phase = Phase.WORKING;
            key.interestOps(0);
            host.serve(whole.with(input.array()), this);
        }
        return true;
    }

    /**
     * @param withBody false for the answer to HEAD
     * @return false if the connection is finished
     */
    boolean answer(Outcome outcome, boolean withBody) {
        since = System.nanoTime();
        forgetRequest();
        input = ByteBuffer.allocate(FIRST_BYTES);
        if (outcome instanceof EventStream events) {
            phase = Phase.STREAMING;
            output = new ByteBuffer[] {events.head()};
            stream = events;
            events.attach(() -> host.wake(this));
            return true;
        }
        phase = Phase.WRITING;
        output = ((Answer) outcome).bytes(withBody);
        return goOn();
    }

    private boolean write() throws IOException {
        channel.write(output);
        if (output[output.length - 1].hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
        } else {
            endOutput();
        }
        return true;
    }

    private void endOutput() throws IOException {
        channel.shutdownOutput();
        phase = Phase.CLOSING;
        since = System.nanoTime();
        output = new ByteBuffer[0];
        key.interestOps(SelectionKey.OP_READ);
    }

    private boolean stream() throws IOException {
        EventStream events = stream;
        if (events == null || !skipRest()) {
            return false;
        }
        ByteBuffer next = output[0].hasRemaining() ? output[0] : events.unsent();
        while (next != null) {
            channel.write(next);
            if (next.hasRemaining()) {
                key.interestOps(SelectionKey.OP_WRITE | SelectionKey.OP_READ);
                return !events.isFull();
            }
            next = events.unsent();
        }
        key.interestOps(SelectionKey.OP_READ);
        if (events.isEnding()) {
            events.close();
            endOutput();
        }
        return true;
    }

    /** Closing with unread bytes would reset the connection, and the answer could be lost with it. */
    private boolean skipRest() throws IOException {
        input.clear();
        return channel.read(input) >= 0;
    }

    private void forgetRequest() {
        host.release(reserved);
        reserved = 0;
        request = null;
    }

    void close() {
        forgetRequest();
        if (stream != null) {
            stream.close();
        }
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed anyway.
            key.cancel();
        }
    }
}
