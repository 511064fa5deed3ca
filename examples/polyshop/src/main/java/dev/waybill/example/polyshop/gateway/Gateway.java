package dev.waybill.example.polyshop.gateway;

import dev.waybill.example.polyshop.common.SpringService;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The process of the gateway. */
@SpringBootApplication
public class Gateway {
    public static void main(String[] arguments) {
        SpringService.runWithoutEvents(Gateway.class, "gateway", arguments);
    }
}
