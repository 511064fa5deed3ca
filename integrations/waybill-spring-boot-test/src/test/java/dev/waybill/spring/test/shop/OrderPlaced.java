package dev.waybill.spring.test.shop;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;

/** A domain event. */
@AppendedAs(type = "order.placed.v1", aggregate = "Order")
public record OrderPlaced(@AggregateId long id, String customer) {}
