package dev.waybill.spring.boot.run;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.PermanentFailureException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ResolvableType;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;

/** Makes the arguments of a handler method from an event. */
final class EventArguments {
    private static final Pattern NAME = Pattern.compile("[\\w$-]{1,64}");

    private final Type[] parameters;
    private final Supplier<JsonMapper> mapper;

    /** @param bean its class, which may say what the type variables of the method's class are */
    EventArguments(Method method, Class<?> bean, Supplier<JsonMapper> mapper) {
        this.parameters = Arrays.stream(method.getGenericParameterTypes())
                .map(type -> GenericTypeResolver.resolveType(type, bean))
                .toArray(Type[]::new);
        this.mapper = mapper;
    }

    /** Why the method cannot be called with an event; empty if it can. */
    static List<String> problemsOf(Method method) {
        List<String> problems = new ArrayList<>();
        List<Class<?>> types = List.of(method.getParameterTypes());
        long events = types.stream().filter(ReceivedEvent.class::equals).count();
        if (types.isEmpty() || events > 1 || types.size() - events > 1) {
            problems.add("it has " + types.size() + " parameters "
                    + types.stream().map(Class::getSimpleName).toList()
                    + ": use one for the payload (a class, String or byte[]), one of type ReceivedEvent, or both");
        }
        if (method.getReturnType() != void.class) {
            problems.add(
                    "it returns " + method.getReturnType().getSimpleName() + ", which nobody receives: return void");
        }
        return problems;
    }

    /** The class of the payload's parameter, if it has one. */
    static Optional<Class<?>> payloadClass(Method method, Class<?> bean) {
        return IntStream.range(0, method.getParameterCount())
                .<Class<?>>mapToObj(
                        i -> ResolvableType.forMethodParameter(method, i, bean).resolve(method.getParameterTypes()[i]))
                .filter(type -> type != ReceivedEvent.class)
                .findFirst();
    }

    /**
     * @throws PermanentFailureException if the payload cannot be read: no retry can succeed
     */
    Object[] of(ReceivedEvent event) {
        Object[] values = new Object[parameters.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(parameters[i], event);
        }
        return values;
    }

    private Object value(Type type, ReceivedEvent event) {
        if (type == ReceivedEvent.class) {
            return event;
        }
        if (type == String.class) {
            return event.dataText();
        }
        return type == byte[].class ? event.data() : read(type, event);
    }

    private Object read(Type type, ReceivedEvent event) {
        JsonMapper json = mapper.get();
        JavaType target = json.constructType(type);
        Object value;
        try {
            value = json.readValue(event.data(), target);
        } catch (JacksonException e) {
            throw new PermanentFailureException(cannotRead(target, event) + " ("
                    + e.getClass().getSimpleName() + at(e) + "). Send an event that it can read, or change the class.");
        }
        if (value == null) {
            throw new PermanentFailureException(cannotRead(target, event) + ", because it is null.");
        }
        return value;
    }

    private static String cannotRead(JavaType target, ReceivedEvent event) {
        return "The payload of an event of type " + event.type() + " (" + event.data().length
                + " bytes) cannot be read as " + target.toCanonical();
    }

    /** The names of properties only: Jackson's own message quotes values. */
    private static String at(JacksonException e) {
        String path = e.getPath().stream().map(EventArguments::step).collect(Collectors.joining("."));
        return path.isEmpty() ? "" : " at " + path;
    }

    /** The keys of a map are values too, and an unknown name may be anything. */
    private static String step(JacksonException.Reference step) {
        if (step.getPropertyName() == null) {
            return "[" + step.getIndex() + "]";
        }
        boolean isKey = step.from() instanceof Map
                || (step.from() instanceof Class<?> type && Map.class.isAssignableFrom(type));
        return isKey || !NAME.matcher(step.getPropertyName()).matches() ? "[a key]" : step.getPropertyName();
    }
}
