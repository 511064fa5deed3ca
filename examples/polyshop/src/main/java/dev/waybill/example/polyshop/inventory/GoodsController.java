package dev.waybill.example.polyshop.inventory;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The first delivery of a product. The warehouse calls it, not the gateway. */
@RestController
class GoodsController {
    private final JdbcClient jdbc;

    GoodsController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    record Delivery(int quantity) {}

    /** A request that is repeated, because its answer was lost, changes nothing. */
    @Transactional
    @PutMapping("/stock/{product}")
    public void deliver(@PathVariable UUID product, @RequestBody Delivery delivery) {
        jdbc.sql("insert into stock (product_id, on_hand) values (?, ?) on conflict do nothing")
                .params(product, delivery.quantity())
                .update();
    }
}
