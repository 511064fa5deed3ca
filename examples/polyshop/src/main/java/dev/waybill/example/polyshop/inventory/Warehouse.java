package dev.waybill.example.polyshop.inventory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waybill.example.polyshop.inventory.StockEvents.Item;
import dev.waybill.example.polyshop.inventory.StockEvents.OrderCancelled;
import dev.waybill.example.polyshop.inventory.StockEvents.OrderPlaced;
import dev.waybill.example.polyshop.inventory.StockEvents.StockRejected;
import dev.waybill.example.polyshop.inventory.StockEvents.StockReserved;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reserves the items of an order, all or none, and releases them when the order is cancelled. */
@Component
class Warehouse {
    private static final String CONSUMER = "inventory-service";

    private final JdbcClient jdbc;
    private final SpringOutbox outbox;

    Warehouse(JdbcClient jdbc, SpringOutbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @HandlesOnce(consumer = CONSUMER, type = "order.order.placed.v1")
    void reserve(OrderPlaced order, ReceivedEvent event) {
        // Always in the same order, so that two orders never wait for each other.
        List<Item> items = order.items().stream()
                .sorted(Comparator.comparing(Item::productId))
                .toList();
        Map<Item, Integer> available = new LinkedHashMap<>();
        items.forEach(item -> available.put(item, onHand(item.productId())));
        Optional<Item> lacking = items.stream()
                .filter(item -> available.getOrDefault(item, 0) < item.quantity())
                .findFirst();
        if (lacking.isPresent()) {
            Item item = lacking.get();
            UUID movement = move("REJECTED", event.id(), item, order.orderId());
            outbox.append(new StockRejected(
                    movement, item.productId(), order.orderId(), item.quantity(), available.getOrDefault(item, 0)));
            return;
        }
        for (Item item : items) {
            change(item.productId(), -item.quantity());
            UUID movement = move("RESERVED", event.id(), item, order.orderId());
            outbox.append(new StockReserved(
                    movement,
                    item.productId(),
                    order.orderId(),
                    item.quantity(),
                    item.quantity() * item.unitPrice(),
                    items.size()));
        }
    }

    @HandlesOnce(consumer = CONSUMER, type = "order.order.cancelled.v1")
    void release(OrderCancelled order, ReceivedEvent event) {
        List<Item> reserved = jdbc.sql(
                        "select product_id, quantity, 0 as unit_price from movements where order_id = ? and kind ="
                                + " 'RESERVED' order by product_id")
                .param(order.orderId())
                .query((row, number) -> new Item(row.getObject(1, UUID.class), row.getInt(2), row.getLong(3)))
                .list();
        for (Item item : reserved) {
            move("RELEASED", event.id(), item, order.orderId());
            change(item.productId(), item.quantity());
        }
    }

    /** Locks the product's stock. */
    private int onHand(UUID product) {
        return jdbc.sql("select on_hand from stock where product_id = ? for update")
                .param(product)
                .query(Integer.class)
                .optional()
                .orElseThrow(() -> new PermanentFailureException("Validation failed: product not found"));
    }

    private void change(UUID product, int by) {
        jdbc.sql("update stock set on_hand = on_hand + ? where product_id = ?")
                .params(by, product)
                .update();
    }

    /** The id of a movement follows from its event, so that the same movement cannot be stored twice. */
    private UUID move(String kind, String eventId, Item item, UUID order) {
        UUID id = UUID.nameUUIDFromBytes((eventId + item.productId()).getBytes(UTF_8));
        jdbc.sql("insert into movements (movement_id, product_id, order_id, kind, quantity) values (?, ?, ?, ?, ?)")
                .params(id, item.productId(), order, kind, item.quantity())
                .update();
        return id;
    }
}
