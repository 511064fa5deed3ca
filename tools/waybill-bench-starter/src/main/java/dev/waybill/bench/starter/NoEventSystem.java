package dev.waybill.bench.starter;

import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.SystemProcess;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.springframework.context.ConfigurableApplicationContext;

/** The business row alone, written with Spring: what the appends of applications with Spring are compared with. */
final class NoEventSystem extends SpringClients {
    private NoEventSystem(Endpoints endpoints) {
        super(endpoints);
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(arguments, NoEventSystem::new);
    }

    @Override
    public String description() {
        return "the business row alone, JdbcClient, TransactionTemplate";
    }

    @Override
    public Optional<String> outbox() {
        return Optional.empty();
    }

    @Override
    LongConsumer appending(ConfigurableApplicationContext application) {
        return number -> {};
    }
}
