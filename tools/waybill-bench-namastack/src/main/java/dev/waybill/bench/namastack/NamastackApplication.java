package dev.waybill.bench.namastack;

import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.MessageProducer;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.concurrent.ExecutionException;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The application that namastack runs in. Spring makes a subclass of it. */
@SpringBootApplication
@EnableScheduling
class NamastackApplication {
    @Bean
    OutboxTypedHandler<Business.Message> handler(MessageProducer producer) {
        return new SendingHandler(producer);
    }

    /** Sends the message of a record, and returns when Kafka has it. */
    private record SendingHandler(MessageProducer producer) implements OutboxTypedHandler<Business.Message> {
        @Override
        public void handle(Business.Message message, OutboxRecordMetadata metadata) {
            try {
                producer.send(message.key(), message.value()).get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while a message was sent.", e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("Kafka did not accept a message: " + e.getCause(), e);
            }
        }
    }
}
