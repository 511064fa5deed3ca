package dev.waybill.example.polyshop.order;

import dev.waybill.example.polyshop.order.OrderEvents.OrderCancelled;
import dev.waybill.example.polyshop.order.OrderEvents.OrderConfirmed;
import dev.waybill.example.polyshop.order.OrderEvents.PaymentOutcome;
import dev.waybill.example.polyshop.order.OrderEvents.StockOutcome;
import dev.waybill.example.polyshop.order.PurchaseOrder.Status;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** What becomes of an order. An outcome of the payment may come before that of the stock, which is on another topic. */
@Component
class OrderOutcomes {
    private static final String CONSUMER = "order-service";

    private final PurchaseOrders orders;
    private final SpringOutbox outbox;

    OrderOutcomes(PurchaseOrders orders, SpringOutbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    @HandlesOnce(consumer = CONSUMER, type = "inventory.stock.reserved.v1")
    void reserved(StockOutcome stock) {
        PurchaseOrder order = find(stock.orderId());
        order.reservedItems++;
        if (order.status == Status.PLACED && order.reservedItems == order.items.size()) {
            order.status = Status.RESERVED;
        }
    }

    @HandlesOnce(consumer = CONSUMER, type = "inventory.stock.rejected.v1")
    void rejected(StockOutcome stock) {
        cancel(stock.orderId(), "out-of-stock");
    }

    @HandlesOnce(consumer = CONSUMER, type = "payment.payment.succeeded.v1")
    void paid(PaymentOutcome payment) {
        find(payment.orderId()).status = Status.CONFIRMED;
        outbox.append(new OrderConfirmed(payment.orderId(), payment.paymentId()));
    }

    @HandlesOnce(consumer = CONSUMER, type = "payment.payment.failed.v1")
    void notPaid(PaymentOutcome payment) {
        cancel(payment.orderId(), "payment-failed");
    }

    private void cancel(UUID orderId, String reason) {
        find(orderId).status = Status.CANCELLED;
        outbox.append(new OrderCancelled(orderId, reason));
    }

    private PurchaseOrder find(UUID orderId) {
        return orders.findLocked(orderId)
                .orElseThrow(() -> new PermanentFailureException("Validation failed: order not found"));
    }
}
