package dev.waybill.spring.boot.run;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.spring.HandlesOnce;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;

/**
 * A method that handles events of one type.
 *
 * @param bean gives the bean for each call, because it may have a scope
 * @param method can be invoked on that bean, which may be a proxy
 */
record HandlerMethod(String consumer, String type, Supplier<Object> bean, Method method, EventArguments arguments) {
    /** @param found the method with the annotation; that of the bean may be one of an interface */
    static String words(Method found) {
        return "@" + HandlesOnce.class.getSimpleName() + " "
                + ClassUtils.getQualifiedMethodName(found, found.getDeclaringClass());
    }

    void handle(ReceivedEvent event) throws Exception {
        Object[] values = arguments.of(event);
        try {
            method.invoke(bean.get(), values);
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
