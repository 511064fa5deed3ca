package dev.waybill.bench.modulith;

import java.util.concurrent.Executor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import tools.jackson.databind.json.JsonMapper;

/** The application that Spring Modulith runs in. Spring makes a subclass of it. */
@SpringBootApplication
@EnableAsync
class ModulithApplication {
    @Bean
    EventExternalizationConfiguration externalization(Sending sending) {
        return EventExternalizationConfiguration.externalizing()
                .select(Changed.class::isInstance)
                .mapping(Changed.class, Changed::value)
                .route(
                        Changed.class,
                        event -> RoutingTarget.forTarget(sending.topic()).andKey(event.key()))
                .build();
    }

    /** Without one, Spring Modulith makes a new one for every event. */
    @Bean
    JsonMapper jsonMapper() {
        return JsonMapper.builder().build();
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
