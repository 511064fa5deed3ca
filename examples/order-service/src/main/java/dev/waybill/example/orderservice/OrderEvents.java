package dev.waybill.example.orderservice;

import java.util.List;

/** What the order service tells others. Each event is complete: nobody has to ask the service for more. */
final class OrderEvents {
    static final String CREATED = "OrderCreated";
    static final String CANCELLED = "OrderCancelled";

    private OrderEvents() {}

    /** One line of an order. */
    record Item(String product, int quantity, long priceCents) {}

    /** @param eventId the id of the row in the outbox */
    record OrderCreated(String eventId, String orderId, String customer, List<Item> items, long totalCents) {}

    /** @param eventId the id of the row in the outbox */
    record OrderCancelled(String eventId, String orderId, String customer) {}
}
