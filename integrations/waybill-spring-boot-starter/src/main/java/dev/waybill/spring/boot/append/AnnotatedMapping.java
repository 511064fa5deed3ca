package dev.waybill.spring.boot.append;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.EventMapping;
import dev.waybill.spring.PayloadWriter;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * The mapping that an annotation describes.
 *
 * @param <T> the annotated class
 */
final class AnnotatedMapping<T> implements EventMapping<T> {
    private static final Payload EMPTY = Payload.json("null");
    private static final ClassValue<Boolean> TEXT_OF = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            Method text = ReflectionUtils.findMethod(type, "toString");
            return text != null && text.getDeclaringClass() != Object.class && !type.isArray();
        }
    };

    private final Class<T> type;
    private final AppendedAs annotation;
    private final Part aggregateId;

    /** Reads a part of an object. */
    private interface Part {
        @Nullable Object of(Object object) throws ReflectiveOperationException;
    }

    private AnnotatedMapping(Class<T> type, AppendedAs annotation, Part aggregateId) {
        this.type = type;
        this.annotation = annotation;
        this.aggregateId = aggregateId;
    }

    /** @throws InvalidEventException if the class cannot be mapped; the message says why */
    static <T> AnnotatedMapping<T> of(Class<T> type, AppendedAs annotation) {
        try {
            AnnotatedMapping<T> mapping = new AnnotatedMapping<>(type, annotation, aggregateId(type));
            mapping.event("any", EMPTY); // names and version can be stored
            return mapping;
        } catch (InvalidEventException e) {
            throw new InvalidEventException(type.getName() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Class<T> type() {
        return type;
    }

    @Override
    public Event map(T domainEvent, PayloadWriter json) {
        return event(idOf(domainEvent), json.payload(domainEvent));
    }

    private Event event(String id, Payload payload) {
        Event event = Event.of(annotation.type())
                .aggregate(annotation.aggregate(), id)
                .payload(payload)
                .version(annotation.version());
        return annotation.topic().isEmpty() ? event : event.topic(annotation.topic());
    }

    private String idOf(T domainEvent) {
        Object id;
        try {
            id = aggregateId.of(domainEvent);
        } catch (ReflectiveOperationException e) {
            throw new InvalidEventException(
                    "The part of " + type.getName() + " with @AggregateId could not be read: " + e.getMessage(), e);
        }
        if (id == null) {
            throw new InvalidEventException(
                    "The part of " + type.getName()
                            + " with @AggregateId is null, so the event has no key: give the object an id before it is appended.");
        }
        if (!hasText(id.getClass())) {
            throw new InvalidEventException("The part of " + type.getName() + " with @AggregateId is a "
                    + id.getClass().getTypeName()
                    + ", which has no toString() of its own, so each event would have another key: give it one, or mark a part with a"
                    + " stable text.");
        }
        return id.toString();
    }

    /** Whether equal objects of the class have the same text: that of {@code Object} has the address. */
    private static boolean hasText(Class<?> idClass) {
        return TEXT_OF.get(idClass);
    }

    /** Annotations of a record component are also on its field and its accessor. */
    private static Part aggregateId(Class<?> type) {
        List<Part> found = new ArrayList<>();
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (field.isAnnotationPresent(AggregateId.class)) {
                    requireText(field.getType());
                    found.add(accessible(type, field)::get);
                }
            }
            for (Method method : declaring.getDeclaredMethods()) {
                if (method.isAnnotationPresent(AggregateId.class) && !type.isRecord()) {
                    requireText(method.getReturnType());
                    found.add(accessible(type, withoutParameters(method))::invoke);
                }
            }
        }
        if (found.size() != 1) {
            throw new InvalidEventException(
                    "it has @AppendedAs, but " + (found.isEmpty() ? "no part" : found.size() + " parts")
                            + " with @AggregateId: mark exactly one record component, field or method");
        }
        return found.get(0);
    }

    /** Of other declared types the object itself tells. */
    private static void requireText(Class<?> declared) {
        boolean known = declared.isArray() || !Modifier.isAbstract(declared.getModifiers());
        if (known && declared != Object.class && !declared.isPrimitive() && !hasText(declared)) {
            throw new InvalidEventException("its part with @AggregateId is a " + declared.getTypeName()
                    + ", which has no toString() of its own, so each event would have another key: give it one, or mark a part with"
                    + " a stable text");
        }
    }

    private static Method withoutParameters(Method method) {
        if (method.getParameterCount() > 0) {
            throw new InvalidEventException("its method " + method.getName()
                    + " has @AggregateId and parameters: mark a method without parameters");
        }
        return method;
    }

    private static <A extends AccessibleObject> A accessible(Class<?> type, A part) {
        if (!part.trySetAccessible()) {
            throw new InvalidEventException("its part with @AggregateId cannot be read: open the package "
                    + type.getPackageName() + " to dev.waybill.spring");
        }
        return part;
    }
}
