package dev.waybill.trials;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A service that handlers call: each call is an effect. It can be stopped. */
final class Downstream implements AutoCloseable {
    private final Map<String, List<String>> effects = new ConcurrentHashMap<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;
    private final int port;

    Downstream() {
        server = start(0);
        port = server.getAddress().getPort();
    }

    private HttpServer start(int onPort) {
        try {
            HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort), 0);
            made.createContext("/", exchange -> {
                Path path = Path.of(exchange.getRequestURI().getPath());
                effects.computeIfAbsent(path.getName(0).toString(), consumer -> new CopyOnWriteArrayList<>())
                        .add(path.getName(1).toString());
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            made.start();
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Calls the service as a handler does; throws the client's exceptions. */
    void call(String consumer, String eventId) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/" + consumer + "/" + eventId);
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
    }

    List<String> effects(String consumer) {
        return effects.getOrDefault(consumer, List.of());
    }

    /** Stops the service; requests in progress are answered. */
    void stop() {
        server.stop(1);
    }

    void restart() {
        server = start(port);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
