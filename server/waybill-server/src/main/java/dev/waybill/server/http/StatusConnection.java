package dev.waybill.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One request and its answer, in steps that never block. Used by one thread. */
final class StatusConnection {
    /** The longest request, up to the empty line after its headers. */
    private static final int LONGEST_REQUEST = 8_192;

    private static final int FIRST_BYTES = 512;

    private final SocketChannel channel;
    private final long openedAt = System.nanoTime();
    private ByteBuffer request = ByteBuffer.allocate(FIRST_BYTES);
    private ByteBuffer @Nullable [] response;

    StatusConnection(SocketChannel channel) {
        this.channel = channel;
    }

    boolean isOlderThan(Duration time) {
        return System.nanoTime() - openedAt > time.toNanos();
    }

    /**
     * Continues as far as possible without blocking.
     *
     * @param answers by path
     * @return false if the connection is finished
     */
    boolean goOn(SelectionKey key, Function<String, Answer> answers) {
        try {
            ByteBuffer[] out = response;
            if (out == null) {
                return read(key, answers);
            }
            return key.isWritable() ? write(key, out) : skipRest();
        } catch (IOException e) {
            // The client has disconnected.
            return false;
        }
    }

    private boolean read(SelectionKey key, Function<String, Answer> answers) throws IOException {
        if (channel.read(request) < 0) {
            return false;
        }
        String text = new String(request.array(), 0, request.position(), StandardCharsets.ISO_8859_1);
        if (text.contains("\r\n\r\n") || text.contains("\n\n")) {
            ByteBuffer[] out = respond(text.lines().findFirst().orElse(""), answers);
            response = out;
            return write(key, out);
        }
        if (request.position() >= LONGEST_REQUEST) {
            ByteBuffer[] out = Answer.line("431 Request Header Fields Too Large", "too long")
                    .bytes(true);
            response = out;
            return write(key, out);
        }
        if (!request.hasRemaining()) {
            request = ByteBuffer.allocate(request.capacity() * 2).put(request.flip());
        }
        return true;
    }

    private static ByteBuffer[] respond(String line, Function<String, Answer> answers) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 3 || !parts[2].startsWith("HTTP/1.")) {
            return Answer.line("400 Bad Request", "This is HTTP/1.1.").bytes(true);
        }
        boolean head = parts[0].equals("HEAD");
        if (!head && !parts[0].equals("GET")) {
            return Answer.line("405 Method Not Allowed", "Only GET and HEAD.").bytes(true);
        }
        int query = parts[1].indexOf('?');
        return answers.apply(query < 0 ? parts[1] : parts[1].substring(0, query))
                .bytes(!head);
    }

    private boolean write(SelectionKey key, ByteBuffer[] out) throws IOException {
        channel.write(out);
        if (out[out.length - 1].hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
        } else {
            channel.shutdownOutput();
            key.interestOps(SelectionKey.OP_READ);
        }
        return true;
    }

    /** Closing with unread bytes would reset the connection, and the answer could be lost with it. */
    private boolean skipRest() throws IOException {
        request.clear();
        return channel.read(request) >= 0;
    }

    /** @return true */
    boolean close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed anyway.
            return true;
        }
        return true;
    }
}
