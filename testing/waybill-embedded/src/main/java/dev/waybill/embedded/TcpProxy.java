package dev.waybill.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** Stands between clients and a server on this machine. What is forwarded on a connection is up to its protocol. */
public final class TcpProxy implements AutoCloseable {
    private final String name;
    private final IntSupplier serverPort;
    private final Protocol protocol;
    private final ServerSocket listening;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    /** How a connection is forwarded. */
    public interface Protocol {
        /** @return the tasks of the connection, each on its own thread; when one ends, both sockets are closed */
        List<Work> forward(Socket client, Socket server) throws IOException;
    }

    /** Something that ends when one side closes the connection. */
    public interface Work {
        void run() throws IOException;
    }

    /**
     * @param name for its threads
     * @param serverPort asked for every connection
     */
    public TcpProxy(String name, IntSupplier serverPort, Protocol protocol) {
        this.name = name;
        this.serverPort = serverPort;
        this.protocol = protocol;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    public int openConnections() {
        return links.size();
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        links.forEach(this::close);
    }

    private void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One side has closed the connection.
                    }
                },
                name + "-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (!listening.isClosed()) {
            Socket client = listening.accept();
            try {
                forward(new Link(client, new Socket(InetAddress.getLoopbackAddress(), serverPort.getAsInt())));
            } catch (IOException e) {
                client.close();
            }
        }
    }

    private void forward(Link link) throws IOException {
        link.client.setTcpNoDelay(true);
        link.server.setTcpNoDelay(true);
        links.add(link);
        for (Work work : protocol.forward(link.client, link.server)) {
            start(() -> {
                try {
                    work.run();
                } finally {
                    close(link);
                }
            });
        }
    }

    private void close(Link link) {
        links.remove(link);
        try (link.client;
                link.server) {
            // Both are closed.
        } catch (IOException e) {
            // They are not used any more.
        }
    }

    /** A connection of a client, and the one to the server behind it. */
    private record Link(Socket client, Socket server) {}
}
