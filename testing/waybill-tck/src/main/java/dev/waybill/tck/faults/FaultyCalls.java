package dev.waybill.tck.faults;

import dev.waybill.spi.EventStore;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls of a store's own interfaces fail, for a store without a server: every call of the store, its sessions and
 * its administration may fail.
 */
public final class FaultyCalls implements FaultInjection {
    /** What a store answers without looking anywhere. */
    private static final Set<String> NOT_COUNTED = Set.of("epoch", "store", "events", "toString", "hashCode", "equals");

    private final Faults faults = new Faults();

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.of(
                Failure.BEFORE,
                Failure.REPLY_LOST,
                Failure.ERROR,
                Failure.ERROR_AFTER,
                Failure.ERROR_TWICE,
                Failure.STALL);
    }

    @Override
    public int openConnections() {
        return 0;
    }

    /** Wraps an object so that its calls may fail; stores and sessions that it returns are wrapped too. */
    public <T> T faulty(Class<T> type, T real) {
        InvocationHandler handler = (proxy, method, arguments) -> call(method, real, arguments);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object call(Method method, Object real, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        Optional<Failure> failure =
                NOT_COUNTED.contains(method.getName()) ? Optional.empty() : faults.next(method.getName());
        if (failure.isEmpty()) {
            return wrapped(invoke(method, real, arguments));
        }
        boolean takesEffect = failure.get() == Failure.REPLY_LOST || failure.get() == Failure.ERROR_AFTER;
        if (takesEffect) {
            invoke(method, real, arguments);
        }
        boolean isError = failure.get() != Failure.BEFORE && failure.get() != Failure.REPLY_LOST;
        if (isError) {
            throw new InjectedError(method.getName());
        }
        if (method.getName().equals("close")) {
            // A session's close never throws an exception.
            return null;
        }
        throw new StoreException("injected: " + method.getName() + " failed (" + failure.get() + ")");
    }

    private @Nullable Object wrapped(@Nullable Object result) {
        if (result instanceof EventStore store) {
            return faulty(EventStore.class, store);
        }
        return result instanceof Optional<?> optional && optional.orElse(null) instanceof RelaySession session
                ? Optional.of(faulty(RelaySession.class, session))
                : result;
    }

    private static @Nullable Object invoke(Method method, Object real, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
