package dev.waybill.spring.boot.append;

import dev.waybill.InvalidEventException;
import dev.waybill.spring.AppendedAs;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks the classes with {@link AppendedAs} in the packages of the application at its start. An application that was processed
 * ahead of time was checked then.
 */
public final class CheckAnnotatedClasses implements SmartInitializingSingleton {
    private final EventMappings mappings;
    private final StoreOutboxes outboxes;
    private final BeanFactory beans;

    public CheckAnnotatedClasses(EventMappings mappings, StoreOutboxes outboxes, BeanFactory beans) {
        this.mappings = mappings;
        this.outboxes = outboxes;
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (!AotDetector.useGeneratedArtifacts()) {
            check(AnnotatedClasses.in(beans, getClass().getClassLoader()));
        }
    }

    private void check(List<Class<?>> annotated) {
        mappings.check(annotated);
        List<String> mistakes = new ArrayList<>();
        for (Class<?> type : annotated) {
            try {
                String store = type.getAnnotation(AppendedAs.class).store();
                if (!store.isEmpty()) {
                    outboxes.nameOf(store, type);
                }
            } catch (InvalidEventException e) {
                mistakes.add(e.getMessage());
            }
        }
        if (!mistakes.isEmpty()) {
            throw new InvalidMappingsException(mistakes);
        }
    }
}
