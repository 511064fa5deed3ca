package dev.waybill.example.polyshop.inventory;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import java.util.List;
import java.util.UUID;

/** The events that this service handles and appends. */
final class StockEvents {
    private StockEvents() {}

    record Item(UUID productId, int quantity, long unitPrice) {}

    record OrderPlaced(UUID orderId, UUID userId, String email, List<Item> items, long totalAmount) {}

    record OrderCancelled(UUID orderId, String reason) {}

    @AppendedAs(type = "inventory.stock.reserved.v1", aggregate = "Stock")
    record StockReserved(
            UUID movementId, @AggregateId UUID productId, UUID orderId, int quantity, long amount, int itemsOfOrder) {}

    @AppendedAs(type = "inventory.stock.rejected.v1", aggregate = "Stock")
    record StockRejected(UUID movementId, @AggregateId UUID productId, UUID orderId, int quantity, int available) {}
}
