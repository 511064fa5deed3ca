package dev.waybill.spring.boot.run;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.spring.HandlesOnce;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.transaction.TransactionManager;
import org.springframework.util.ClassUtils;

/**
 * A method that handles events of one type.
 *
 * @param manager that its {@code @Transactional} selects; empty if it has no such annotation
 */
record HandlerMethod(
        String consumer,
        String type,
        Invocable invocable,
        EventArguments arguments,
        Optional<TransactionManager> manager) {

    /**
     * @param bean gives the bean for each call, because it may have a scope
     * @param method can be invoked on that bean, which may be a proxy
     */
    record Invocable(Supplier<Object> bean, Method method) {}

    /** @param found the method with the annotation; that of the bean may be one of an interface */
    static String words(Method found) {
        return "@" + HandlesOnce.class.getSimpleName() + " "
                + ClassUtils.getQualifiedMethodName(found, found.getDeclaringClass());
    }

    String words() {
        return words(invocable.method());
    }

    void handle(ReceivedEvent event) throws Exception {
        Object[] values = arguments.of(event);
        try {
            invocable.method().invoke(invocable.bean().get(), values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw e;
        }
    }
}
