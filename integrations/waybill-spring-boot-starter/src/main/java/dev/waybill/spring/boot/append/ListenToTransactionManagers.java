package dev.waybill.spring.boot.append;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** Adds the listener to every transaction manager that is a bean, whoever declared it. */
public final class ListenToTransactionManagers implements BeanPostProcessor {
    private final TransactionPhases phases = new TransactionPhases();

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof PlatformTransactionManager && bean instanceof ConfigurableTransactionManager manager) {
            manager.addListener(phases);
        }
        return bean;
    }

    TransactionPhases phases() {
        return phases;
    }
}
