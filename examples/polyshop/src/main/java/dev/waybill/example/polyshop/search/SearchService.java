package dev.waybill.example.polyshop.search;

import dev.waybill.example.polyshop.common.PlainConsumer;
import dev.waybill.format.ReceivedEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The process of the search-service: an index of products. Their types are on two topics, so either event may be the first. */
public final class SearchService {
    private static final String CREATED = "product.product.created.v1";
    private static final String PRICE_CHANGED = "product.product.price-changed.v1";
    private static final JsonMapper JSON = JsonMapper.shared();

    private SearchService() {}

    public static void main(String[] arguments) throws IOException, SQLException, InterruptedException {
        PlainConsumer.run("search-service", List.of(CREATED, PRICE_CHANGED), SearchService::index);
    }

    private static void index(Connection connection, ReceivedEvent event) throws SQLException {
        JsonNode product = JSON.readTree(event.data());
        UUID id = UUID.fromString(product.path("productId").asString());
        if (event.type().equals(CREATED)) {
            try (PreparedStatement insert = connection.prepareStatement(
                    "insert into product_index as p (product_id, name, price) values (?, ?, ?) on conflict (product_id)"
                            + " do update set name = excluded.name,"
                            + " price = case when p.price_changed then p.price else excluded.price end")) {
                insert.setObject(1, id);
                insert.setString(2, product.path("name").asString());
                insert.setLong(3, product.path("price").asLong());
                insert.executeUpdate();
            }
            return;
        }
        try (PreparedStatement update = connection.prepareStatement(
                "insert into product_index (product_id, price, price_changed) values (?, ?, true) on conflict (product_id)"
                        + " do update set price = excluded.price, price_changed = true")) {
            update.setObject(1, id);
            update.setLong(2, product.path("newPrice").asLong());
            update.executeUpdate();
        }
    }
}
