package dev.waybill.example.polyshop.product;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.SpringOutbox;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class ProductController {
    private final JdbcClient jdbc;
    private final SpringOutbox outbox;

    ProductController(JdbcClient jdbc, SpringOutbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @AppendedAs(type = "product.product.created.v1", aggregate = "Product")
    record ProductCreated(@AggregateId UUID productId, String name, long price) {}

    @AppendedAs(type = "product.product.price-changed.v1", aggregate = "Product")
    record PriceChanged(@AggregateId UUID productId, long oldPrice, long newPrice) {}

    record NewPrice(long price) {}

    /** A request that is repeated, because its answer was lost, changes nothing. */
    @Transactional
    @PostMapping("/products")
    public void create(@RequestBody ProductCreated product) {
        int added = jdbc.sql("insert into products (product_id, name, price) values (?, ?, ?) on conflict do nothing")
                .params(product.productId(), product.name(), product.price())
                .update();
        if (added == 1) {
            outbox.append(product);
        }
    }

    @Transactional
    @PostMapping("/products/{id}/price")
    public void changePrice(@PathVariable UUID id, @RequestBody NewPrice request) {
        long before = jdbc.sql("select price from products where product_id = ? for update")
                .param(id)
                .query(Long.class)
                .optional()
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "no product " + id));
        if (before != request.price()) {
            jdbc.sql("update products set price = ? where product_id = ?")
                    .params(request.price(), id)
                    .update();
            outbox.append(new PriceChanged(id, before, request.price()));
        }
    }
}
