package dev.waybill.spi;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs Waybill's own work so that an OpenTelemetry agent in the JVM adds nothing to it. Otherwise the agent would replace the
 * {@code traceparent} of every message that is sent, which is that of the append, and create a span for each message and for each
 * poll of the database. Spans of Waybill's listeners are not affected.
 *
 * <p>It uses the switch with which OpenTelemetry's exporters exempt themselves. The class of the switch is internal to
 * OpenTelemetry's API and has had two names, so it is looked up by name. Without OpenTelemetry's API on the class path the work
 * runs as it is.
 */
public final class Untraced {
    private static final List<String> SWITCHES = List.of(
            "io.opentelemetry.api.impl.InstrumentationUtil", "io.opentelemetry.api.internal.InstrumentationUtil");

    private static final @Nullable MethodHandle SUPPRESS = find(SWITCHES);

    private Untraced() {}

    static @Nullable MethodHandle find(List<String> classes) {
        for (String name : classes) {
            try {
                Class<?> type = Class.forName(name, true, Untraced.class.getClassLoader());
                return MethodHandles.publicLookup()
                        .findStatic(type, "suppressInstrumentation", MethodType.methodType(void.class, Runnable.class));
            } catch (ReflectiveOperationException | LinkageError e) {
                // Another version of the API, or none.
            }
        }
        return null;
    }

    /** The work of a thread. */
    public static Runnable task(Runnable work) {
        return SUPPRESS == null ? work : () -> run(work);
    }

    public static void run(Runnable work) {
        run(SUPPRESS, work);
    }

    static void run(@Nullable MethodHandle suppress, Runnable work) {
        if (suppress == null) {
            work.run();
            return;
        }
        try {
            suppress.invokeExact(work);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A task failed with a checked exception that it does not declare.", e);
        }
    }

    public static <R> R call(Supplier<R> work) {
        if (SUPPRESS == null) {
            return work.get();
        }
        List<R> result = new ArrayList<>(1);
        run(() -> result.add(work.get()));
        return result.get(0);
    }
}
