package dev.waybill.spring.test.shop;

import dev.waybill.spring.SpringOutbox;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Appends in a transaction. */
@Service
public class OrderService {
    private final SpringOutbox outbox;

    OrderService(SpringOutbox outbox) {
        this.outbox = outbox;
    }

    @Transactional
    public void place(long id) {
        outbox.append(new OrderPlaced(id, "Ada"));
    }
}
