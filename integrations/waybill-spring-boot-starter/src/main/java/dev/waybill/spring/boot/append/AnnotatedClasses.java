package dev.waybill.spring.boot.append;

import dev.waybill.spring.AppendedAs;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/** Finds the classes with {@link AppendedAs} in the packages of the application. */
final class AnnotatedClasses {
    private AnnotatedClasses() {}

    static List<Class<?>> in(BeanFactory beans, @Nullable ClassLoader loader) {
        if (!AutoConfigurationPackages.has(beans)) {
            return List.of();
        }
        ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
        scanner.addIncludeFilter(new AnnotationTypeFilter(AppendedAs.class, false));
        Set<String> names = new TreeSet<>();
        for (String basePackage : AutoConfigurationPackages.get(beans)) {
            scanner.findCandidateComponents(basePackage).forEach(found -> names.add(found.getBeanClassName()));
        }
        return names.stream()
                .<Class<?>>map(name -> ClassUtils.resolveClassName(name, loader))
                .toList();
    }
}
