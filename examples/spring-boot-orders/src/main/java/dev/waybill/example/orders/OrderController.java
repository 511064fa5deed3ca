package dev.waybill.example.orders;

import dev.waybill.spring.SpringOutbox;
import java.util.UUID;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final PurchaseOrders orders;
    private final SpringOutbox outbox;

    OrderController(PurchaseOrders orders, SpringOutbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    record NewOrder(String item) {}

    @Transactional // the order and its event are committed together
    @PostMapping("/orders")
    public UUID place(@RequestBody NewOrder request) {
        PurchaseOrder order = new PurchaseOrder();
        order.item = request.item();
        orders.save(order);
        outbox.append(new OrderPlaced(order.id, order.item));
        return order.id;
    }
}
