package dev.waybill.example.polyshop.order;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** An order and its items. */
@Entity
@Table(name = "orders")
class PurchaseOrder {
    private static final UUID NONE = new UUID(0, 0);

    @Id
    @Column(name = "order_id")
    UUID orderId = NONE;

    @Column(name = "user_id")
    UUID userId = NONE;

    String email = "";

    @Column(name = "total_amount")
    long totalAmount;

    @Enumerated(EnumType.STRING)
    Status status = Status.PLACED;

    @Column(name = "reserved_items")
    int reservedItems;

    @ElementCollection
    @CollectionTable(name = "order_items", joinColumns = @JoinColumn(name = "order_id"))
    List<Item> items = new ArrayList<>();

    enum Status {
        PLACED,
        RESERVED,
        CONFIRMED,
        CANCELLED
    }

    @Embeddable
    static class Item {
        @Column(name = "product_id")
        UUID productId = NONE;

        int quantity;

        @Column(name = "unit_price")
        long unitPrice;
    }
}
