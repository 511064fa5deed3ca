package dev.waybill.example.orders;

import dev.waybill.spring.HandlesOnce;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

@Component
class Stock {
    private static final Logger log = LoggerFactory.getLogger(Stock.class);

    private final JdbcClient jdbc;

    Stock(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @HandlesOnce(consumer = "stock") // however often Kafka delivers the event
    void take(OrderPlaced order) {
        jdbc.sql("insert into movement (order_id, item) values (?, ?)")
                .params(order.id(), order.item())
                .update();
        log.info("Took one item for order {}", order.id());
    }
}
