package dev.waybill.example.orders;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import java.util.UUID;

@AppendedAs(type = "order.placed.v1", aggregate = "Order")
record OrderPlaced(@AggregateId UUID id, String item) {}
