package dev.waybill.bench.modulith;

import dev.waybill.bench.kit.Business;
import java.util.concurrent.Executor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;

/** The application that Spring Modulith runs in. Spring makes a subclass of it. */
@SpringBootApplication
@EnableAsync
class ModulithApplication {
    @Bean
    EventExternalizationConfiguration externalization(Sending sending) {
        return EventExternalizationConfiguration.externalizing()
                .select(Business.Message.class::isInstance)
                .mapping(Business.Message.class, Business.Message::value)
                .route(
                        Business.Message.class,
                        message -> RoutingTarget.forTarget(sending.topic()).andKey(message.key()))
                .build();
    }

    @Bean
    AsyncConfigurer listeners(Sending sending) {
        return new AsyncConfigurer() {
            @Override
            public Executor getAsyncExecutor() {
                return sending;
            }
        };
    }
}
