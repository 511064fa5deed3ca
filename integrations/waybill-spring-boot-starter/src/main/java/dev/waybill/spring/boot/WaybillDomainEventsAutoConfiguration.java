package dev.waybill.spring.boot;

import dev.waybill.Payload;
import dev.waybill.spring.EventCustomizer;
import dev.waybill.spring.EventMapping;
import dev.waybill.spring.PayloadWriter;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.append.AppendPublishedEvents;
import dev.waybill.spring.boot.append.CheckAnnotatedClasses;
import dev.waybill.spring.boot.append.DomainEvents;
import dev.waybill.spring.boot.append.EventMappings;
import dev.waybill.spring.boot.append.StoreOutboxes;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/**
 * Domain objects as events: their mappings, and the listener that appends what the application publishes. In the context that has
 * the outboxes only: what a child context publishes reaches its parent too, and would be appended twice.
 */
@AutoConfiguration(
        after = WaybillOutboxAutoConfiguration.class,
        afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBean(value = SpringOutbox.class, search = SearchStrategy.CURRENT)
public class WaybillDomainEventsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    PayloadWriter waybillPayloadWriter(ObjectProvider<JsonMapper> application) {
        JsonMapper mapper = application.getIfUnique();
        return mapper == null ? Payload::jsonOf : object -> Payload.json(object, mapper::writeValueAsBytes);
    }

    @Bean
    EventMappings waybillEventMappings(ObjectProvider<EventMapping<?>> mappings) {
        return new EventMappings(mappings.orderedStream().toList());
    }

    @Bean
    DomainEvents waybillDomainEvents(
            EventMappings mappings, PayloadWriter json, ObjectProvider<EventCustomizer> customizers) {
        return new DomainEvents(mappings, json, customizers.orderedStream().toList());
    }

    @Bean
    StoreOutboxes waybillOutboxes(ListableBeanFactory beans) {
        return new StoreOutboxes(beans);
    }

    @Bean
    AppendPublishedEvents waybillAppendsPublishedEvents(EventMappings mappings, StoreOutboxes outboxes) {
        return new AppendPublishedEvents(mappings, outboxes);
    }

    @Bean
    CheckAnnotatedClasses waybillChecksAnnotatedClasses(
            EventMappings mappings, StoreOutboxes outboxes, BeanFactory beans) {
        return new CheckAnnotatedClasses(mappings, outboxes, beans);
    }
}
