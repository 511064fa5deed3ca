package dev.waybill.spring.shop;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import java.time.Instant;
import java.util.Optional;

/** An annotated domain event. */
@AppendedAs(type = "order.placed.v1", aggregate = "Order")
public record OrderPlaced(@AggregateId Long orderId, String customer, Optional<Instant> due) {
    public OrderPlaced(long orderId, String customer) {
        this(orderId, customer, Optional.empty());
    }
}
