package dev.waybill.spring.boot.run;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An application that sells items, and takes them from its stock when it receives its own events. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Stock {
    public static final String SOLD = "item.sold.v1";

    /** An event. */
    public record Sold(String item, int count) {}

    @Bean
    Handlers handlers(JdbcClient jdbc) {
        return new Handlers(jdbc);
    }

    /** Handles events of items. */
    public static class Handlers {
        private final JdbcClient jdbc;
        final List<ReceivedEvent> received = new CopyOnWriteArrayList<>();
        volatile Consumer<Sold> first = sold -> {};

        Handlers(JdbcClient jdbc) {
            this.jdbc = jdbc;
            jdbc.sql("create table if not exists taken (item text, count int)").update();
        }

        @HandlesOnce(consumer = "stock", type = SOLD)
        void on(Sold sold, ReceivedEvent event) {
            first.accept(sold);
            received.add(event);
            jdbc.sql("insert into taken (item, count) values (?, ?)")
                    .params(sold.item(), sold.count())
                    .update();
        }

        int taken(String item) {
            return jdbc.sql("select coalesce(sum(count), 0) from taken where item = ?")
                    .param(item)
                    .query(Integer.class)
                    .single();
        }
    }

    public static void sell(SpringOutbox outbox, String item, int count) {
        outbox.append(Event.of(SOLD).aggregate("Item", item).payload(Payload.jsonOf(new Sold(item, count))));
    }
}
