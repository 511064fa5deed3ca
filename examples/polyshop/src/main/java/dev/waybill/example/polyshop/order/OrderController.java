package dev.waybill.example.polyshop.order;

import dev.waybill.example.polyshop.order.OrderEvents.Item;
import dev.waybill.example.polyshop.order.OrderEvents.OrderPlaced;
import dev.waybill.spring.SpringOutbox;
import java.util.List;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OrderController {
    private final PurchaseOrders orders;
    private final SpringOutbox outbox;

    OrderController(PurchaseOrders orders, SpringOutbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    record NewOrder(UUID orderId, UUID userId, String email, List<Item> items) {
        boolean isValid() {
            return !items.isEmpty()
                    && items.stream().allMatch(item -> item.quantity() > 0 && item.unitPrice() >= 0)
                    && items.stream().map(Item::productId).distinct().count() == items.size();
        }
    }

    /** The order, its items and the event are committed together. A request that is repeated changes nothing. */
    @Transactional
    @PostMapping("/orders")
    public void place(@RequestBody NewOrder request) {
        if (!request.isValid()) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "an order has items, each of another product, with a quantity and a price");
        }
        if (orders.existsById(request.orderId())) {
            return;
        }
        PurchaseOrder order = new PurchaseOrder();
        order.orderId = request.orderId();
        order.userId = request.userId();
        order.email = request.email();
        for (Item requested : request.items()) {
            PurchaseOrder.Item item = new PurchaseOrder.Item();
            item.productId = requested.productId();
            item.quantity = requested.quantity();
            item.unitPrice = requested.unitPrice();
            order.items.add(item);
            order.totalAmount += requested.quantity() * requested.unitPrice();
        }
        orders.save(order);
        outbox.append(new OrderPlaced(order.orderId, order.userId, order.email, request.items(), order.totalAmount));
    }
}
