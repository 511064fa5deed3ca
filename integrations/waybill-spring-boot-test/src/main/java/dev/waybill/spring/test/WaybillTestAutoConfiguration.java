package dev.waybill.spring.test;

import dev.waybill.spring.boot.WaybillDomainEventsAutoConfiguration;
import dev.waybill.spring.boot.WaybillStoresAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Outboxes in memory, one for each configured store. Only tests with {@link WaybillTest} have it. */
@AutoConfiguration(before = {WaybillStoresAutoConfiguration.class, WaybillDomainEventsAutoConfiguration.class})
@Import(InMemoryRegistrar.class)
public class WaybillTestAutoConfiguration {
    @Bean
    static EndedTransactions waybillEndedTransactions() {
        return new EndedTransactions();
    }

    @Bean
    AppendedEvents appendedEvents() {
        return new AppendedEvents();
    }
}
