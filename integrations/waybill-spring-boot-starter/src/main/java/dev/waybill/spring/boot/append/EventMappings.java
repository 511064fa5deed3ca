package dev.waybill.spring.boot.append;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.EventMapping;
import dev.waybill.spring.PayloadWriter;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The mapping of each class of domain events. Registered ones are known from the start; those of annotated classes are made, and
 * checked, when the class is first seen, at the latest with its first object.
 */
public final class EventMappings {
    private final Map<Class<?>, Optional<EventMapping<?>>> byType = new ConcurrentHashMap<>();
    private final Set<Class<?>> registered;

    /** @throws InvalidMappingsException if two are for the same class, or one is for a class that no object has */
    public EventMappings(List<EventMapping<?>> mappings) {
        registered = mappings.stream().map(EventMapping::type).collect(Collectors.toUnmodifiableSet());
        Stream<String> doubled = mappings.stream()
                .filter(mapping -> byType.put(mapping.type(), Optional.of(mapping)) != null)
                .map(mapping -> mapping.type().getName()
                        + " has several EventMapping beans: keep one, so that it is clear which one applies")
                .distinct();
        Stream<String> ofNoObject = registered.stream()
                .filter(type -> Modifier.isAbstract(type.getModifiers()))
                .map(type -> type.getName()
                        + " has an EventMapping bean, but it is abstract, and a mapping is for objects of exactly its class:"
                        + " declare one for each class that extends it")
                .sorted();
        List<String> mistakes = Stream.concat(doubled, ofNoObject).toList();
        if (!mistakes.isEmpty()) {
            throw new InvalidMappingsException(mistakes);
        }
    }

    /** @throws InvalidMappingsException if one of the classes cannot be mapped as it is annotated; all of them are listed */
    public void check(Collection<Class<?>> annotated) {
        List<String> mistakes = annotated.stream()
                .map(type -> {
                    try {
                        find(type);
                        return "";
                    } catch (InvalidEventException e) {
                        return e.getMessage();
                    }
                })
                .filter(mistake -> !mistake.isEmpty())
                .toList();
        if (!mistakes.isEmpty()) {
            throw new InvalidMappingsException(mistakes);
        }
    }

    /** Whether objects of this class are appended when they are published as application events. */
    boolean has(Class<?> type) {
        return find(type).isPresent();
    }

    private Optional<EventMapping<?>> find(Class<?> type) {
        return byType.computeIfAbsent(
                type,
                newType -> Optional.ofNullable(newType.getAnnotation(AppendedAs.class))
                        .<EventMapping<?>>map(annotation -> AnnotatedMapping.of(newType, annotation))
                        .or(() -> unmarked(newType)));
    }

    /** Nobody else would notice that such an object is not appended when it is published. */
    private Optional<EventMapping<?>> unmarked(Class<?> type) {
        boolean expected = AnnotatedElementUtils.hasAnnotation(type, AppendedAs.class)
                || registered.stream().anyMatch(mapped -> mapped.isAssignableFrom(type));
        if (expected) {
            throw new InvalidEventException(
                    "A " + type.getName()
                            + " cannot be appended: a class or interface that it extends has a mapping, but it has none of its own, so that"
                            + " its type of event is not known. Annotate it with @AppendedAs, or declare a bean of type EventMapping for it.");
        }
        return Optional.empty();
    }

    Event map(Object domainEvent, PayloadWriter json) {
        EventMapping<?> mapping = find(domainEvent.getClass()).orElseThrow(() -> unmapped(domainEvent.getClass()));
        return map(mapping, domainEvent, json);
    }

    private static <T> Event map(EventMapping<T> mapping, Object domainEvent, PayloadWriter json) {
        try {
            return mapping.map(mapping.type().cast(domainEvent), json);
        } catch (InvalidEventException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new InvalidEventException(
                    "A " + mapping.type().getName() + " could not be mapped to an event: its EventMapping failed with "
                            + e.getClass().getName() + ". Nothing was written: correct the mapping or the object.",
                    e);
        }
    }

    private static InvalidEventException unmapped(Class<?> type) {
        String remedy = Iterable.class.isAssignableFrom(type)
                ? "use appendAll for a collection."
                : "annotate it with @AppendedAs, declare a bean of type EventMapping for it, or append an Event.";
        return new InvalidEventException(
                "A " + type.getName() + " cannot be appended, because it has no mapping to an event: " + remedy);
    }
}
