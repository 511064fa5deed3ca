package dev.waybill.spring.boot.run;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Annotations that take a handler method out of the transaction of its inbox. Its event would be recorded as handled although the
 * effect fails, or the effect would stay although the event is handled again.
 */
final class OutsideTransaction {
    private static final AnnotationTransactionAttributeSource ATTRIBUTES =
            new AnnotationTransactionAttributeSource(false);

    private OutsideTransaction() {}

    static List<String> problemsOf(Method method, Class<?> bean) {
        List<String> problems = new ArrayList<>();
        if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                || AnnotatedElementUtils.hasAnnotation(bean, Async.class)) {
            problems.add("it is asynchronous, so its event would count as handled before it is: remove @Async");
        }
        TransactionAttribute attribute = ATTRIBUTES.getTransactionAttribute(method, bean);
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
}
