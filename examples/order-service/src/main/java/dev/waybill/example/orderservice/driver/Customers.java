package dev.waybill.example.orderservice.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Requests;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Places and cancels orders over HTTP. */
final class Customers {
    private static final int CANCELLED_OF_100 = 4;
    private static final int INVALID_OF_100 = 3;

    private final Requests requests;
    private final Random random;
    private final List<String> orders = new ArrayList<>();
    private final List<String> cancellations = new ArrayList<>();
    private int refused;

    Customers(ExampleRun run, int port) {
        this.requests = new Requests(run, port);
        this.random = run.random();
    }

    /** One order; some are cancelled later, and some customers first send one that is refused. */
    void placeOne() throws InterruptedException {
        if (random.nextInt(100) < INVALID_OF_100) {
            requests.send("POST", "/orders", order(UUID.randomUUID(), 1 + random.nextInt(3), 0), 422);
            refused++;
        }
        UUID id = UUID.nameUUIDFromBytes(Long.toString(random.nextLong()).getBytes(StandardCharsets.UTF_8));
        int quantity = 1 + random.nextInt(4);
        long price = 100L + random.nextInt(9_900);
        requests.send("POST", "/orders", order(id, price, quantity), 201, 200);
        orders.add(id + " " + customer(id) + " " + (quantity + 1) + " pieces " + (price * quantity + 500) + " cents");
        // At least one, however short the day is.
        if (orders.size() == 1 || random.nextInt(100) < CANCELLED_OF_100) {
            // 404 if the answer to the first request was lost.
            requests.send("DELETE", "/orders/" + id, "", 201, 404);
            cancellations.add(id.toString());
        }
    }

    private static String order(UUID id, long price, int quantity) {
        return """
                {"id": "%s", "customer": "%s", "items": [
                  {"product": "gift wrap", "quantity": 1, "priceCents": 500},
                  {"product": "book", "quantity": %d, "priceCents": %d}]}""".formatted(id, customer(id), quantity, price);
    }

    private static String customer(UUID order) {
        return "customer-" + Math.floorMod(order.hashCode(), 100);
    }

    int placed() {
        return orders.size();
    }

    int cancelled() {
        return cancellations.size();
    }

    int refused() {
        return refused;
    }

    /** Each order with its customer, pieces and cents. */
    List<String> orders() {
        return orders;
    }

    /** The ids of the orders that were cancelled. */
    List<String> cancellations() {
        return cancellations;
    }
}
