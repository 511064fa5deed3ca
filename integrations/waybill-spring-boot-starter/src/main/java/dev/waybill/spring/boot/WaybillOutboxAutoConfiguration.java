package dev.waybill.spring.boot;

import dev.waybill.spring.boot.append.ListenToTransactionManagers;
import dev.waybill.spring.boot.store.WaybillStores;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Outboxes that join the application's transactions, one for each store. A context with a parent that has them uses those. */
@AutoConfiguration(after = WaybillStoresAutoConfiguration.class)
@ConditionalOnBean(value = WaybillStores.class, search = SearchStrategy.CURRENT)
@Import(OutboxRegistrar.class)
public class WaybillOutboxAutoConfiguration {

    /** Static, so that it is there before the transaction managers. */
    @Bean
    static ListenToTransactionManagers waybillListensToTransactionManagers() {
        return new ListenToTransactionManagers();
    }
}
