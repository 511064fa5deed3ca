package dev.waybill.spring.aot;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.testkit.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application that is processed ahead of time; it appends events, handles them, and prints how many there are. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class AheadOfTime {
    /** A domain event. */
    @AppendedAs(type = "order.placed.v1", aggregate = "Order")
    record OrderPlaced(@AggregateId long id) {}

    /** What the consumer knows of it. */
    record Placed(long id) {}

    /** Counts events. */
    static class Handlers {
        private final AtomicInteger handled = new AtomicInteger();

        @HandlesOnce(consumer = "aot", type = "order.placed.v1")
        void on(Placed placed) {
            if (placed.id() > 0) {
                handled.incrementAndGet();
            }
        }
    }

    @Bean
    Handlers handlers() {
        return new Handlers();
    }

    /** The second one, which has a table of its own, needs the qualifier. */
    record Outboxes(SpringOutbox main, SpringOutbox other) {}

    @Bean
    Outboxes outboxes(SpringOutbox main, @Qualifier("other") SpringOutbox other) {
        return new Outboxes(main, other);
    }

    public static void main(String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(AheadOfTime.class, arguments)) {
            Outboxes outboxes = context.getBean(Outboxes.class);
            context.getBean(TransactionTemplate.class).executeWithoutResult(status -> {
                outboxes.main.append(new OrderPlaced(1));
                outboxes.main.append(new OrderPlaced(2));
                outboxes.other.append(new OrderPlaced(3));
            });
            boolean run = context.getBean(RunningRelays.class).isRunning();
            System.out.println("relays run: " + run);
            AtomicInteger handled = context.getBean(Handlers.class).handled;
            if (run) {
                Await.until(() -> "both are handled, not " + handled, () -> handled.get() == 2);
            }
            System.out.println("handled " + handled);
            JdbcTemplate rows = context.getBean(JdbcTemplate.class);
            System.out.println("appended " + rows.queryForObject("select count(*) from waybill_event", Integer.class)
                    + " and " + rows.queryForObject("select count(*) from outbox_events", Integer.class));
        }
    }
}
