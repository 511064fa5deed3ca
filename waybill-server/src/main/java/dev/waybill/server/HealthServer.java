package dev.waybill.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * {@code /health} says that the process answers, {@code /ready} whether the loop of every relay lives. A store or a broker
 * that is away makes neither false: the relay waits for it, and a restart would not bring it back.
 */
final class HealthServer implements AutoCloseable {
    private static final int THREADS = 2;
    private static final String SECONDS_FOR_A_REQUEST = "10";

    private final HttpServer server;
    private final ExecutorService threads;

    private HealthServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    static HealthServer start(InetSocketAddress address, BooleanSupplier ready) throws IOException {
        // Whoever sends a request letter by letter must not keep the others out.
        System.setProperty("sun.net.httpserver.maxReqTime", SECONDS_FOR_A_REQUEST);
        System.setProperty("sun.net.httpserver.maxRspTime", SECONDS_FOR_A_REQUEST);
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new IOException(
                    "http://" + address.getHostString() + ":" + address.getPort() + " cannot be served ("
                            + e.getMessage()
                            + "): another process may have the port; set server.port, 0 for any that is free.",
                    e);
        }
        AtomicInteger count = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread daemon = new Thread(task, "waybill-health-" + count.incrementAndGet());
            daemon.setDaemon(true);
            return daemon;
        });
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, 404, "There is /health and /ready."));
        server.createContext("/health", exchange -> answer(exchange, 200, "ok"));
        server.createContext("/ready", exchange -> {
            boolean isReady = ready.getAsBoolean();
            answer(exchange, isReady ? 200 : 503, isReady ? "ready" : "not ready: a relay has ended");
        });
        server.start();
        return new HealthServer(server, threads);
    }

    private static void answer(HttpExchange exchange, int status, String words) throws IOException {
        try (exchange) {
            boolean exact = exchange.getHttpContext()
                    .getPath()
                    .equals(exchange.getRequestURI().getPath());
            boolean reads = Set.of("GET", "HEAD").contains(exchange.getRequestMethod());
            byte[] body = (words + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            int code = !reads ? 405 : exact ? status : 404;
            boolean hasBody = exchange.getRequestMethod().equals("GET") && code == status;
            exchange.sendResponseHeaders(code, hasBody ? body.length : -1);
            if (hasBody) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Host and port. */
    String at() {
        return server.getAddress().getHostString() + ":" + port();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
