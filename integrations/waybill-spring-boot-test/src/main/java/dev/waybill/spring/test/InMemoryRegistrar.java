package dev.waybill.spring.test;

import dev.waybill.spring.boot.OutboxBeans;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Registers outboxes in memory, named and qualified as the real ones. */
class InMemoryRegistrar implements ImportBeanDefinitionRegistrar {
    private final Environment environment;

    InMemoryRegistrar(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        OutboxBeans.register(registry, environment, InMemoryOutbox.class);
    }
}
