package dev.waybill.example.polyshop.order;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import java.util.List;
import java.util.UUID;

/** The events that this service handles and appends. */
final class OrderEvents {
    private OrderEvents() {}

    record Item(UUID productId, int quantity, long unitPrice) {}

    @AppendedAs(type = "order.order.placed.v1", aggregate = "Order")
    record OrderPlaced(@AggregateId UUID orderId, UUID userId, String email, List<Item> items, long totalAmount) {}

    @AppendedAs(type = "order.order.confirmed.v1", aggregate = "Order")
    record OrderConfirmed(@AggregateId UUID orderId, UUID paymentId) {}

    @AppendedAs(type = "order.order.cancelled.v1", aggregate = "Order")
    record OrderCancelled(@AggregateId UUID orderId, String reason) {}

    /** That an order's stock is reserved, or not; fields that this service does not need are left out. */
    record StockOutcome(UUID orderId) {}

    record PaymentOutcome(UUID orderId, UUID paymentId) {}
}
