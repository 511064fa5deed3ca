package dev.waybill.example.polyshop.inventory;

import dev.waybill.example.polyshop.common.CommonConfiguration;
import dev.waybill.example.polyshop.common.SpringService;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of the inventory-service. */
@SpringBootApplication
@Import(CommonConfiguration.class)
public class InventoryService {
    public static void main(String[] arguments) {
        SpringService.runWithEvents(InventoryService.class, "inventory-service", arguments);
    }
}
