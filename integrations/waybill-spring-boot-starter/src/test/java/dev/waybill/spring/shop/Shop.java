package dev.waybill.spring.shop;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spring.EventMapping;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableAsync;

/** The application of the tests. */
@SpringBootApplication
@EnableAsync
public class Shop {
    @Bean
    EventMapping<Invoiced> invoiced() {
        return EventMapping.of(
                Invoiced.class,
                (invoice, json) -> Event.of("invoice.sent.v1")
                        .aggregate("Invoice", invoice.number())
                        .payload(json.payload(invoice)));
    }

    public static Event event(String id) {
        return Event.of("order.placed.v1").aggregate("Order", id).payload(Payload.json("{}"));
    }
}
