package dev.waybill.example.polyshop.driver;

import dev.waybill.example.polyshop.driver.Plan.Order;
import dev.waybill.example.polyshop.driver.Plan.Product;
import dev.waybill.example.polyshop.driver.Plan.User;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests, again and again until they are answered: every request may be repeated. */
final class Customers {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String gateway;
    private final String inventory;
    /** The trace ids that the gateway answered with, of orders that needed no second request. */
    private final Map<UUID, String> traces = new ConcurrentHashMap<>();

    private final AtomicInteger placed = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();

    Customers(Shop shop) {
        this.gateway = "http://127.0.0.1:" + shop.port(Service.GATEWAY);
        this.inventory = "http://127.0.0.1:" + shop.port(Service.INVENTORY);
    }

    void register(User user) {
        post("/users", Map.of("userId", user.id(), "email", user.email(), "name", "Customer"));
    }

    void create(Product product) {
        post("/products", Map.of("productId", product.id(), "name", product.name(), "price", product.price()));
    }

    /** The first delivery of a product to the warehouse. */
    void deliver(Product product) {
        request("PUT", inventory + "/stock/" + product.id(), Map.of("quantity", product.stock()), Optional.empty());
    }

    void changePrice(Product product, long price) {
        post("/products/" + product.id() + "/price", Map.of("price", price));
    }

    void place(Order order) {
        List<Map<String, Object>> items = order.items().stream()
                .map(item -> Map.<String, Object>of(
                        "productId", item.product().id(),
                        "quantity", item.quantity(),
                        "unitPrice", item.product().price()))
                .toList();
        Map<String, Object> body = Map.of(
                "orderId",
                order.id(),
                "userId",
                order.user().id(),
                "email",
                order.user().email(),
                "items",
                items);
        request("POST", gateway + "/orders", body, Optional.of(order));
        placed.incrementAndGet();
    }

    int placed() {
        return placed.get();
    }

    /** Requests that had no answer, or that a service was away for. */
    int repeated() {
        return repeated.get();
    }

    Map<UUID, String> traces() {
        return Map.copyOf(traces);
    }

    private void post(String path, Map<String, Object> body) {
        request("POST", gateway + path, body, Optional.empty());
    }

    private void request(String method, String url, Map<String, Object> body, Optional<Order> order) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
        order.ifPresent(one -> request.header("userId", one.user().id().toString()));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int attempt = 1; ; attempt++) {
            Optional<HttpResponse<String>> answer = send(request.build());
            if (answer.isPresent() && answer.get().statusCode() == 200) {
                if (attempt == 1 && order.isPresent()) {
                    String trace =
                            answer.get().headers().firstValue("X-Trace-Id").orElse("none");
                    traces.put(order.get().id(), trace);
                }
                return;
            }
            int status = answer.map(HttpResponse::statusCode).orElse(0);
            if ((status >= 400 && status < 500) || System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        method + " " + url + " was refused with " + status + " after " + attempt + " requests.");
            }
            repeated.incrementAndGet();
            LockSupport.parkNanos(PAUSE);
        }
    }

    /** Empty if there was no answer. */
    private Optional<HttpResponse<String>> send(HttpRequest request) {
        try {
            return Optional.of(http.send(request, BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
