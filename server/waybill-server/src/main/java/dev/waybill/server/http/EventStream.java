package dev.waybill.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stream of server-sent events to one client. Events may be sent from any thread and never wait: they are kept until the client
 * reads them. A client that leaves more than {@value #MOST_BYTES} bytes unread is disconnected.
 */
public final class EventStream implements Outcome {
    static final int MOST_BYTES = 4_000_000;

    private static final String TYPE = "text/event-stream";

    private final Map<String, String> headers;
    private final Runnable whenClosed;
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
    private long unsentBytes;
    private boolean ending;
    private boolean closed;
    private @Nullable Runnable waking;

    /**
     * @param headers further headers of the response
     * @param whenClosed called once, when the client has gone or the stream has ended
     */
    public EventStream(Map<String, String> headers, Runnable whenClosed) {
        this.headers = Map.copyOf(headers);
        this.whenClosed = whenClosed;
        add("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param name of the kind of event, a plain word
     * @param line the data, without line breaks
     */
    public void send(String name, String line) {
        if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0) {
            throw new IllegalArgumentException("The data of an event " + name + " has a line break.");
        }
        add(("event: " + name + "\ndata: " + line + "\n\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends something that clients ignore, so that a broken connection is noticed. */
    public void beat() {
        add(":\n\n".getBytes(StandardCharsets.UTF_8));
    }

    /** Ends the stream after what was sent. */
    public void end() {
        Runnable wake;
        synchronized (this) {
            ending = true;
            wake = waking;
        }
        if (wake != null) {
            wake.run();
        }
    }

    private void add(byte[] bytes) {
        Runnable wake;
        synchronized (this) {
            if (closed || ending) {
                return;
            }
            unsent.add(ByteBuffer.wrap(bytes));
            unsentBytes += bytes.length;
            wake = waking;
        }
        if (wake != null) {
            wake.run();
        }
    }

    /** @param waker makes the server call {@link #unsent} soon; from any thread */
    void attach(Runnable waker) {
        synchronized (this) {
            waking = waker;
        }
        waker.run();
    }

    /** The answer to HEAD: ends the stream. */
    Answer headOnly() {
        close();
        return new Answer("200 OK", TYPE, new byte[0], headers);
    }

    ByteBuffer head() {
        return ByteBuffer.wrap((Head.of("200 OK", TYPE, headers) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    synchronized boolean isEnding() {
        return ending;
    }

    /** Whether the client reads too slowly. */
    synchronized boolean isFull() {
        return unsentBytes > MOST_BYTES;
    }

    /** The next bytes to write; null if there are none now. */
    synchronized @Nullable ByteBuffer unsent() {
        ByteBuffer next = unsent.peek();
        while (next != null && !next.hasRemaining()) {
            unsentBytes -= next.capacity();
            unsent.remove();
            next = unsent.peek();
        }
        return next;
    }

    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            unsent.clear();
        }
        whenClosed.run();
    }
}
