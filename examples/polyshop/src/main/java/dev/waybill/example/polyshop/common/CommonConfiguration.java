package dev.waybill.example.polyshop.common;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jsonschema.RegistryFile;
import dev.waybill.registry.EventRegistry;
import dev.waybill.spring.EventCustomizer;
import java.io.IOException;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.Resource;

/** For every service that has events: its table of processed events, the event contract, and log lines. */
@Configuration(proxyBeanMethods = false)
public class CommonConfiguration {
    @Bean
    InboxLayout processedEvents(@Value("${spring.application.name}") String service) {
        return InboxLayout.processedEvents(service);
    }

    /** Events that do not match are refused when they are appended. */
    @Bean
    EventRegistry eventContract(@Value("${waybill.relays.main.registry}") Resource registry) throws IOException {
        return RegistryFile.read(Path.of(registry.getURI()));
    }

    @Bean
    @Order(1)
    EventCustomizer correlation() {
        return Correlation::addTo;
    }

    @Bean
    @Order(2)
    EventCustomizer appendedEventsInLogs() {
        return EventLog::appended;
    }

    @Bean
    ConsumerListener correlationOfHandlers() {
        return new Correlation.OfHandlers();
    }

    @Bean
    ConsumerListener handledEventsInLogs() {
        return new EventLog();
    }

    @Bean
    Correlation.OfRequests correlationOfRequests() {
        return new Correlation.OfRequests();
    }
}
