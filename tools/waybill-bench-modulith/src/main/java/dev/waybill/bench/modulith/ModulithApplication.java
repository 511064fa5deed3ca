package dev.waybill.bench.modulith;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;
import tools.jackson.databind.json.JsonMapper;

/** The application that Spring Modulith runs in. Spring makes a subclass of it. */
@SpringBootApplication
@EnableAsync
class ModulithApplication {
    /**
     * Not Spring Modulith's externalization to Kafka, which completes publications on the one thread of the producer: a listener that
     * waits completes them on its own, sixteen at a time.
     */
    @Component
    static class Listener {
        private final Sending sending;
        private final KafkaTemplate<String, String> kafka;

        Listener(Sending sending, KafkaTemplate<String, String> kafka) {
            this.sending = sending;
            this.kafka = kafka;
        }

        @Async
        @TransactionalEventListener
        public void on(Changed event) throws InterruptedException, ExecutionException {
            kafka.send(sending.topic(), event.key(), event.value()).get();
        }
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
