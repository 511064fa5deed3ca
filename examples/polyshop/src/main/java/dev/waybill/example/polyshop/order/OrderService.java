package dev.waybill.example.polyshop.order;

import dev.waybill.example.polyshop.common.CommonConfiguration;
import dev.waybill.example.polyshop.common.SpringService;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of the order-service. */
@SpringBootApplication
@Import(CommonConfiguration.class)
public class OrderService {
    public static void main(String[] arguments) {
        SpringService.runWithEvents(OrderService.class, "order-service", arguments);
    }
}
