package dev.waybill.bench.starter;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.SystemProcess;
import dev.waybill.spring.SpringOutbox;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.springframework.context.ConfigurableApplicationContext;

/** The outbox of the Spring Boot starter. */
final class StarterSystem extends SpringClients {
    private StarterSystem(Endpoints endpoints) {
        super(endpoints);
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(arguments, StarterSystem::new);
    }

    @Override
    public String description() {
        return "the Spring Boot starter with its defaults, JdbcClient, TransactionTemplate";
    }

    @Override
    public Optional<String> outbox() {
        return Optional.of("waybill.event");
    }

    @Override
    LongConsumer appending(ConfigurableApplicationContext application) {
        SpringOutbox outbox = application.getBean(SpringOutbox.class);
        return number -> outbox.append(Event.of("order.order.changed.v1")
                .aggregate("Order", Business.key(number))
                .payload(Payload.json(Business.payload(number))));
    }
}
