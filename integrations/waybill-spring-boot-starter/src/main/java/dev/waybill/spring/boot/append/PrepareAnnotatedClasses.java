package dev.waybill.spring.boot.append;

import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.SpringOutbox;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Checks the classes with {@link AppendedAs} when an application is processed ahead of time, and keeps them readable. */
class PrepareAnnotatedClasses implements BeanFactoryInitializationAotProcessor {
    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        if (beans.getBeanNamesForType(SpringOutbox.class, true, false).length == 0) {
            return null;
        }
        List<Class<?>> annotated = AnnotatedClasses.in(beans, beans.getBeanClassLoader());
        new EventMappings(List.of()).check(annotated);
        return annotated.isEmpty()
                ? null
                : (context, code) -> annotated.forEach(
                        type -> keep(type, context.getRuntimeHints().reflection()));
    }

    private static void keep(Class<?> type, ReflectionHints hints) {
        new BindingReflectionHintsRegistrar().registerReflectionHints(hints, type);
        hints.registerType(type, MemberCategory.ACCESS_DECLARED_FIELDS, MemberCategory.INVOKE_DECLARED_METHODS);
    }
}
