package dev.waybill.spring.boot;

import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.append.StoreOutboxes;
import dev.waybill.spring.boot.properties.StoreNames;
import dev.waybill.spring.boot.properties.WaybillProperties;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.env.Environment;

/** The definitions of outbox beans. */
public final class OutboxBeans {
    private OutboxBeans() {}

    /**
     * Registers an outbox for each store, with the store's name as qualifier. That of the store {@code main} is the primary one.
     *
     * @param factory its static method {@code create} makes an outbox of the name of a store and of other beans
     */
    public static void register(BeanDefinitionRegistry registry, Environment environment, Class<?> factory) {
        for (String store : StoreNames.in(environment)) {
            registry.registerBeanDefinition(StoreOutboxes.beanName(store), outbox(store, factory));
        }
    }

    private static RootBeanDefinition outbox(String store, Class<?> factory) {
        RootBeanDefinition outbox = new RootBeanDefinition(factory);
        outbox.setTargetType(SpringOutbox.class);
        outbox.setFactoryMethodName("create");
        outbox.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        outbox.getConstructorArgumentValues().addIndexedArgumentValue(0, store);
        outbox.addQualifier(new AutowireCandidateQualifier(Qualifier.class, store));
        outbox.setPrimary(store.equals(WaybillProperties.MAIN));
        return outbox;
    }
}
