package dev.waybill.example.polyshop.product;

import dev.waybill.example.polyshop.common.CommonConfiguration;
import dev.waybill.example.polyshop.common.SpringService;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of the product-service. */
@SpringBootApplication
@Import(CommonConfiguration.class)
public class ProductService {
    public static void main(String[] arguments) {
        SpringService.runWithEvents(ProductService.class, "product-service", arguments);
    }
}
