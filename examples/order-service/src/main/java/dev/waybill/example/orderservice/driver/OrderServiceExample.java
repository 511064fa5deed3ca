package dev.waybill.example.orderservice.driver;

import dev.waybill.example.kit.Example;

/** {@code ./waybill example order-service}. */
public final class OrderServiceExample {
    private OrderServiceExample() {}

    static Example example() {
        return new Example(
                "order-service",
                "Customers place orders with a service on PostgreSQL; a relay publishes its outbox to Kafka; shipping ships each"
                        + " order once. A topic is missing, so rows become FAILED, until an operator creates it and requeues"
                        + " them.",
                1_000,
                run -> new Day(run).play());
    }

    public static void main(String[] arguments) {
        System.exit(example().run(arguments).exitCode());
    }
}
