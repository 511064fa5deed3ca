package dev.waybill.example.orders;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Receives spans over OTLP. Trace ids and names are in its requests as they are. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            requests.add(latin(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /** Whether a request had a span of this trace, and one with this text in its name or attributes. */
    boolean has(String traceId, String text) {
        String bytes = latin(HexFormat.of().parseHex(traceId));
        return requests.stream().anyMatch(request -> request.contains(bytes) && request.contains(text));
    }

    /** Each byte as one character. */
    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
