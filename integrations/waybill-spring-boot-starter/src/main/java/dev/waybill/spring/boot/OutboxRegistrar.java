package dev.waybill.spring.boot;

import dev.waybill.spring.boot.append.StoreOutboxes;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers the outboxes that join the application's transactions. */
class OutboxRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;

    OutboxRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        OutboxBeans.register(registry, environment, StoreOutboxes.class);
    }
}
