package dev.waybill.spring;

import dev.waybill.format.ReceivedEvent;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;

/** Keeps handler methods callable in a native image, and the classes of their payloads readable by the JSON mapper. */
class KeepHandlersCallable extends SimpleReflectiveProcessor {
    @Override
    protected void registerMethodHint(ReflectionHints hints, Method method) {
        super.registerMethodHint(hints, method);
        for (Type parameter : method.getGenericParameterTypes()) {
            if (parameter != ReceivedEvent.class) {
                new BindingReflectionHintsRegistrar().registerReflectionHints(hints, parameter);
            }
        }
    }
}
