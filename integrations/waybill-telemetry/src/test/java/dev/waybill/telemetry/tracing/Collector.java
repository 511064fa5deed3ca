package dev.waybill.telemetry.tracing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/** Receives spans through OTLP over HTTP, as a collector does. */
final class Collector implements AutoCloseable {
    private final HttpServer server;
    private final ConcurrentLinkedQueue<Received> spans = new ConcurrentLinkedQueue<>();

    /** In the order of OTLP's numbers. */
    enum Kind {
        UNSPECIFIED,
        INTERNAL,
        SERVER,
        CLIENT,
        PRODUCER,
        CONSUMER;

        static Kind of(long number) {
            return List.of(values()).get((int) number);
        }
    }

    /** @param links trace ids of the links */
    record Received(
            String scope,
            String name,
            Kind kind,
            String traceId,
            String spanId,
            String parentId,
            List<String> links,
            Map<String, String> attributes) {

        boolean isOurs() {
            return scope.equals("dev.waybill");
        }
    }

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::receive);
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> spans() {
        return List.copyOf(spans);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestURI().getPath().equals("/v1/traces")) {
                ProtoMessage.of(body).messages(1).forEach(this::addResource);
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    /** The numbers are those of the fields in OTLP's {@code ResourceSpans}, {@code ScopeSpans}, {@code Span} and {@code KeyValue}. */
    private void addResource(ProtoMessage resource) {
        for (ProtoMessage scope : resource.messages(2)) {
            String name = scope.message(1).text(1);
            scope.messages(2).forEach(span -> spans.add(received(name, span)));
        }
    }

    private static Received received(String scope, ProtoMessage span) {
        return new Received(
                scope,
                span.text(5),
                Kind.of(span.number(6)),
                span.hex(1),
                span.hex(2),
                span.hex(4),
                span.messages(13).stream().map(link -> link.hex(1)).toList(),
                span.messages(9).stream()
                        .collect(Collectors.toMap(pair -> pair.text(1), pair -> text(pair.message(2)))));
    }

    private static String text(ProtoMessage value) {
        return value.has(1) ? value.text(1) : String.valueOf(value.number(3));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
