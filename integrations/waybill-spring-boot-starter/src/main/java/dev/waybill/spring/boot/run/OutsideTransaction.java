package dev.waybill.spring.boot.run;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Annotations that take a handler method out of the transaction of its inbox. Its event would be recorded as handled although the
 * effect fails, or the effect would stay although the event is handled again.
 */
final class OutsideTransaction {
    private final AnnotationTransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);
    private final SelectedManager managers;

    OutsideTransaction(ConfigurableListableBeanFactory beans) {
        attributes.setEmbeddedValueResolver(new EmbeddedValueResolver(beans));
        managers = new SelectedManager(beans);
    }

    List<String> problemsOf(Method method, Class<?> bean) {
        List<String> problems = new ArrayList<>();
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(bean, Async.class)) {
            problems.add("it is asynchronous, so its event would count as handled before it is: remove @Async");
        }
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, bean);
        int propagation =
                attribute == null ? TransactionDefinition.PROPAGATION_REQUIRED : attribute.getPropagationBehavior();
        if (propagation == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                || propagation == TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                || propagation == TransactionDefinition.PROPAGATION_NEVER) {
            problems.add(
                    "its @Transactional has a propagation that leaves the transaction of the inbox: remove the propagation, or"
                            + " do what needs a transaction of its own in another bean");
        }
        return problems;
    }

    /**
     * The transaction manager that its {@code @Transactional} selects; empty if it has no such annotation.
     *
     * @throws IllegalArgumentException if there is none, or it is not clear which one
     */
    Optional<TransactionManager> managerOf(Method method, Class<?> bean) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, bean);
        try {
            return Optional.ofNullable(attribute).map(selecting -> managers.of(selecting, bean));
        } catch (BeansException e) {
            throw new IllegalArgumentException(
                    "its @Transactional selects no transaction manager (" + e.getMessage()
                            + "): give the name of the one that its consumer's inbox uses, or remove the annotation",
                    e);
        }
    }

    /** Selects as Spring does when it calls the method. */
    private static final class SelectedManager extends TransactionAspectSupport {
        SelectedManager(ConfigurableListableBeanFactory beans) {
            setBeanFactory(beans);
            // has one if the application sets the default with a TransactionManagementConfigurer
            beans.getBeanProvider(TransactionInterceptor.class)
                    .ifUnique(ofApplication -> setTransactionManager(ofApplication.getTransactionManager()));
        }

        @Nullable TransactionManager of(TransactionAttribute attribute, Class<?> bean) {
            return determineTransactionManager(attribute, bean);
        }
    }
}
