package dev.waybill.server.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HTTP/1.1, one request on each connection.
 *
 * <p>One thread reads and writes all connections and blocks on none of them: a client that sends half a request, or does not read
 * its answer, holds some memory and no thread. There are at most {@value #MOST_CONNECTIONS} connections; one more closes the
 * oldest that waits for its client. Simple pages, such as {@code /health}, are made on this thread, so they are answered however busy
 * the rest is. Everything else is made by a few workers; when too many requests wait for them, more are refused.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpServer.class);

    public static final int MOST_CONNECTIONS = 500;
    private static final int BACKLOG = 1_000;
    /** Bytes of all bodies that are being read or worked on. */
    private static final int MOST_BODY_BYTES = 16 * RequestHead.LONGEST_BODY;
    /** Time limit for reading a request, for writing its answer, and for the client's close. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final ServerSocketChannel server;
    private final Selector selector;
    private final InetSocketAddress address;
    private final Map<String, Supplier<Answer>> pages;
    private final Function<Request, Outcome> handler;
    private final Workers workers = new Workers();
    /** Oldest first. */
    private final Set<HttpConnection> connections = new LinkedHashSet<>();

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final HttpConnection.Host host = new ForConnections();
    private final Thread thread;
    private int bodyBytes;
    private volatile boolean closed;

    private HttpServer(
            ServerSocketChannel server,
            Selector selector,
            Map<String, Supplier<Answer>> pages,
            Function<Request, Outcome> handler)
            throws IOException {
        this.server = server;
        this.selector = selector;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.pages = new LinkedHashMap<>(pages);
        this.handler = handler;
        this.thread = new Thread(this::serveUntilClosed, "waybill-http");
        thread.setDaemon(true);
    }

    /**
     * @param pages by path; made on the server's thread, so they must not wait for anything
     * @param handler of all other requests; called by several threads at once, and may wait
     */
    public static HttpServer start(
            InetSocketAddress address, Map<String, Supplier<Answer>> pages, Function<Request, Outcome> handler)
            throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, BACKLOG);
            server.configureBlocking(false);
            Selector selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            HttpServer made = new HttpServer(server, selector, pages, handler);
            made.thread.start();
            return made;
        } catch (IOException e) {
            server.close();
            throw new IOException(
                    "http://" + address.getHostString() + ":" + address.getPort() + " cannot be served ("
                            + e.getMessage()
                            + "): another process may have the port; set server.port; 0 selects a free port.",
                    e);
        }
    }

    private void serveUntilClosed() {
        while (!closed) {
            try {
                selector.select(this::serve, LOOK.toMillis());
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                connections.stream()
                        .filter(each -> each.waitsLongerThan(LONGEST))
                        .toList()
                        .forEach(this::drop);
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                // This thread must not end silently: without it the process counts as dead.
                log.warn("An HTTP request failed ({}); the next is served.", e.toString());
            }
        }
    }

    private void serve(SelectionKey key) {
        if (key.attachment() instanceof HttpConnection connection) {
            goOn(connection);
        } else {
            accept();
        }
    }

    private void goOn(HttpConnection connection) {
        boolean open = false;
        try {
            open = connection.goOn();
        } finally {
            if (!open) {
                drop(connection);
            }
        }
    }

    private void drop(HttpConnection connection) {
        connection.close();
        connections.remove(connection);
    }

    private void accept() {
        try {
            SocketChannel channel = server.accept();
            if (channel == null) {
                return;
            }
            if (connections.size() >= MOST_CONNECTIONS) {
                Optional<HttpConnection> oldest = connections.stream()
                        .filter(HttpConnection::waitsForClient)
                        .findFirst();
                oldest.ifPresent(this::drop);
            }
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            HttpConnection connection = new HttpConnection(channel, key, host);
            key.attach(connection);
            connections.add(connection);
        } catch (IOException e) {
            log.debug("An HTTP connection could not be accepted.", e);
        }
    }

    private void later(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    private void respond(HttpConnection connection, Outcome made, boolean withBody) {
        Outcome outcome = made instanceof EventStream stream && !withBody ? stream.headOnly() : made;
        if (!connections.contains(connection) || !connection.answer(outcome, withBody)) {
            if (outcome instanceof EventStream stream) {
                stream.close();
            }
            drop(connection);
        }
    }

    /** Called by connections on the server's thread, unless said otherwise. */
    private final class ForConnections implements HttpConnection.Host {
        @Override
        public boolean reserve(int bytes) {
            while (bytes > MOST_BODY_BYTES - bodyBytes) {
                Optional<HttpConnection> oldest = connections.stream()
                        .filter(HttpConnection::waitsForBody)
                        .findFirst();
                if (oldest.isEmpty()) {
                    return false;
                }
                drop(oldest.get());
            }
            bodyBytes += bytes;
            return true;
        }

        @Override
        public void release(int bytes) {
            bodyBytes -= bytes;
        }

        @Override
        public void serve(Request request, HttpConnection connection) {
            boolean head = request.method().equals("HEAD");
            Supplier<Answer> page = pages.get(request.path());
            if (page != null) {
                Answer answer = head || request.method().equals("GET")
                        ? page.get()
                        : Answer.line("405 Method Not Allowed", "Only GET and HEAD.");
                // Not now: the connection is in the middle of reading.
                later(() -> respond(connection, answer, !head));
                return;
            }
            try {
                workers.execute(() -> {
                    Outcome outcome = made(request);
                    later(() -> respond(connection, outcome, !head));
                });
            } catch (RejectedExecutionException e) {
                Answer busy = Answer.line("503 Service Unavailable", "Too many requests at once; try again.");
                later(() -> respond(connection, busy, !head));
            }
        }

        /** From any thread. */
        @Override
        public void wake(HttpConnection connection) {
            later(() -> {
                if (connections.contains(connection)) {
                    goOn(connection);
                }
            });
        }
    }

    private Outcome made(Request request) {
        try {
            return handler.apply(request);
        } catch (MalformedRequestException e) {
            return e.answer();
        } catch (RuntimeException | Error e) {
            log.warn("{} {} failed.", request.method(), request.path().length() > 200 ? "…" : request.path(), e);
            return Answer.line("500 Internal Server Error", "The request failed; the log of the process says why.");
        }
    }

    public int port() {
        return address.getPort();
    }

    /** Host and port. */
    public String at() {
        return address.getHostString() + ":" + port();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        workers.close();
        try {
            thread.join(LONGEST.toMillis());
            connections.forEach(HttpConnection::close);
            selector.close();
            server.close();
        } catch (IOException e) {
            log.debug("The HTTP server did not close cleanly.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
