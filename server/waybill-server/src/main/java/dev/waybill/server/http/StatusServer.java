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
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a few small pages, such as {@code /health}.
 *
 * <p>One thread serves all connections and blocks on none of them: a client that sends half a request, or does not read the
 * answer, holds a few hundred bytes and a reference to the answer. There are at most {@value #MOST_CONNECTIONS} connections; one more closes the
 * oldest. So incomplete requests do not block others.
 */
public final class StatusServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StatusServer.class);

    public static final int MOST_CONNECTIONS = 500;
    private static final int BACKLOG = 1_000;
    /** Time limit for the request, the answer and the client's close together. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private final ServerSocketChannel server;
    private final Selector selector;
    private final InetSocketAddress address;
    private final Map<String, Supplier<Answer>> pages;
    /** Oldest first. */
    private final Set<StatusConnection> connections = new LinkedHashSet<>();

    private final Thread thread;
    private volatile boolean closed;

    private StatusServer(ServerSocketChannel server, Selector selector, Map<String, Supplier<Answer>> pages)
            throws IOException {
        this.server = server;
        this.selector = selector;
        this.address = (InetSocketAddress) server.getLocalAddress();
        this.pages = new LinkedHashMap<>(pages);
        this.thread = new Thread(this::serveUntilClosed, "waybill-http");
        thread.setDaemon(true);
    }

    /**
     * @param pages by path; made on the server's thread, so they must not wait for anything
     */
    public static StatusServer start(InetSocketAddress address, Map<String, Supplier<Answer>> pages)
            throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.bind(address, BACKLOG);
            server.configureBlocking(false);
            Selector selector = Selector.open();
            server.register(selector, SelectionKey.OP_ACCEPT);
            StatusServer made = new StatusServer(server, selector, pages);
            made.thread.start();
            return made;
        } catch (IOException e) {
            server.close();
            throw new IOException(
                    "http://" + address.getHostString() + ":" + address.getPort() + " cannot be served ("
                            + e.getMessage()
                            + "): another process may have the port; set server.port, 0 for any that is free.",
                    e);
        }
    }

    private void serveUntilClosed() {
        while (!closed) {
            try {
                selector.select(this::serve, LOOK.toMillis());
                connections.removeIf(each -> each.isOlderThan(LONGEST) && each.close());
            } catch (ClosedSelectorException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                // This thread must not end silently: without it the process counts as dead.
                log.warn("An HTTP request failed ({}); the next is served.", e.toString());
            }
        }
    }

    private void serve(SelectionKey key) {
        if (key.attachment() instanceof StatusConnection connection) {
            if (!connection.goOn(key, this::answer)) {
                connection.close();
                connections.remove(connection);
            }
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel channel = server.accept();
            if (channel == null) {
                return;
            }
            if (connections.size() >= MOST_CONNECTIONS) {
                StatusConnection oldest = connections.iterator().next();
                oldest.close();
                connections.remove(oldest);
            }
            StatusConnection connection = new StatusConnection(channel);
            connections.add(connection);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, connection);
        } catch (IOException e) {
            log.debug("An HTTP connection could not be accepted.", e);
        }
    }

    private Answer answer(String path) {
        Supplier<Answer> page = pages.get(path);
        return page == null
                ? Answer.line("404 Not Found", "There is " + String.join(", ", pages.keySet()) + ".")
                : page.get();
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
        try {
            thread.join(LONGEST.toMillis());
            connections.forEach(StatusConnection::close);
            selector.close();
            server.close();
        } catch (IOException e) {
            log.debug("The HTTP server did not close cleanly.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
