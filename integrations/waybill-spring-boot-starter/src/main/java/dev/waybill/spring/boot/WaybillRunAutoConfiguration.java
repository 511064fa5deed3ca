package dev.waybill.spring.boot;

import dev.waybill.spring.boot.run.RunConfiguration;
import dev.waybill.spring.boot.store.WaybillStores;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Import;

/** Relays and consumers of the application, if it has a store. */
@AutoConfiguration(
        after = WaybillStoresAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
        })
@ConditionalOnBean(WaybillStores.class)
@Import(RunConfiguration.class)
public class WaybillRunAutoConfiguration {}
