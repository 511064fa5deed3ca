package dev.waybill.spring.boot.run;

import dev.waybill.spring.HandlesOnce;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import tools.jackson.databind.json.JsonMapper;

/** Finds methods with {@link HandlesOnce} in all beans, and checks them. Creates no bean. */
final class HandlerMethods {
    private final ConfigurableListableBeanFactory beans;
    private final Supplier<JsonMapper> mapper;
    private final Function<Class<?>, Optional<String>> typeOf;
    private final Mistakes mistakes;
    private final OutsideTransaction outside;
    private final Map<String, Map<String, HandlerMethod>> byConsumer = new TreeMap<>();
    private final Map<String, Method> methods = new HashMap<>();

    /** @param typeOf the event type of a payload's class, if it has one */
    HandlerMethods(
            ConfigurableListableBeanFactory beans,
            Supplier<JsonMapper> mapper,
            Function<Class<?>, Optional<String>> typeOf,
            Mistakes mistakes) {
        this.beans = beans;
        this.mapper = mapper;
        this.typeOf = typeOf;
        this.mistakes = mistakes;
        this.outside = new OutsideTransaction(beans);
    }

    /** The methods of each consumer. */
    Map<String, List<HandlerMethod>> find() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, HandlesOnce.class)) {
                annotated(type).forEach((method, annotation) -> add(new Found(name, type, method), annotation));
            }
        }
        Map<String, List<HandlerMethod>> found = new TreeMap<>();
        byConsumer.forEach((consumer, ofType) -> found.put(consumer, new ArrayList<>(ofType.values())));
        return found;
    }

    private static Map<Method, HandlesOnce> annotated(Class<?> type) {
        MethodIntrospector.MetadataLookup<HandlesOnce> lookup =
                method -> AnnotatedElementUtils.findMergedAnnotation(method, HandlesOnce.class);
        return MethodIntrospector.selectMethods(type, lookup);
    }

    /** A method with the annotation, and the bean that has it. */
    private record Found(String beanName, Class<?> bean, Method method) {}

    private void add(Found found, HandlesOnce annotation) {
        Method method = found.method();
        String where = HandlerMethod.words(method);
        List<String> problems = new ArrayList<>(EventArguments.problemsOf(method));
        problems.addAll(outside.problemsOf(method, found.bean()));
        if (Modifier.isStatic(method.getModifiers()) || Modifier.isPrivate(method.getModifiers())) {
            problems.add("it is static or private: Spring calls methods of beans, so make it neither");
        }
        if (annotation.consumer().isBlank()) {
            problems.add("its consumer is blank: give the name of the consumer");
        }
        Optional<String> type = type(found, annotation);
        if (type.isEmpty()) {
            problems.add("it has no type: give the type of the events, as in type = \"order.placed.v1\"");
        }
        problems.forEach(problem -> mistakes.add(where, problem));
        if (problems.isEmpty()) {
            mistakes.made(
                            where,
                            () -> new HandlerMethod(
                                    annotation.consumer(),
                                    type.orElseThrow(),
                                    new HandlerMethod.Invocable(
                                            () -> beans.getBean(found.beanName()), invocable(found.beanName(), method)),
                                    new EventArguments(method, found.bean(), mapper),
                                    outside.managerOf(method, found.bean())))
                    .ifPresent(handler -> register(handler, method));
        }
    }

    private Optional<String> type(Found found, HandlesOnce annotation) {
        return annotation.type().isBlank()
                ? EventArguments.payloadClass(found.method(), found.bean()).flatMap(typeOf)
                : Optional.of(annotation.type());
    }

    /** A JDK proxy has the methods of interfaces only. */
    private Method invocable(String beanName, Method method) {
        Class<?> type = beans.getType(beanName);
        Method invocable;
        try {
            invocable = AopUtils.selectInvocableMethod(method, type == null ? method.getDeclaringClass() : type);
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "its bean " + beanName + " is a proxy of interfaces, none of which has the method: declare it in an"
                            + " interface, or let Spring proxy classes",
                    e);
        }
        invocable.setAccessible(true);
        return invocable;
    }

    private void register(HandlerMethod handler, Method found) {
        String key = handler.consumer() + "\n" + handler.type();
        Method other = methods.putIfAbsent(key, found);
        if (other == null) {
            byConsumer
                    .computeIfAbsent(handler.consumer(), unused -> new TreeMap<>())
                    .put(handler.type(), handler);
        } else {
            mistakes.add(
                    HandlerMethod.words(found),
                    "the consumer " + handler.consumer() + " has another method for " + handler.type() + ", "
                            + HandlerMethod.words(other) + ": remove one, or use another consumer");
        }
    }
}
