package dev.waybill.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The connection of an inbox's transaction, as passed to a handler. The handler cannot end the transaction, because its effect
 * would be committed without the mark, or lost with it. Closing does nothing, since the owner closes the connection. Savepoints
 * are allowed. Statements, results, arrays and metadata return only this connection.
 */
final class LentConnection implements InvocationHandler {
    /** All JDBC types from which a connection can be reached: an array has a result set, which has a statement. */
    private static final List<Class<?>> PARTS = List.of(
            CallableStatement.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            Array.class);

    private final Connection connection;

    private LentConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection of(Connection connection) {
        return proxy(Connection.class, new LentConnection(connection));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object first = arguments == null ? "" : arguments[0];
        switch (method.getName()) {
            case "close" -> {
                return null;
            }
            case "commit", "abort" -> throw notYours(method);
            case "rollback" -> {
                if (arguments == null) {
                    throw notYours(method);
                }
            }
            case "setAutoCommit" -> {
                if (first.equals(true)) {
                    throw notYours(method);
                }
            }
            case "setTransactionIsolation" ->
                throw new SQLException(
                        "A handler called setTransactionIsolation on its connection, but its"
                                + " transaction has started, and some databases would commit it. Set the isolation in the data source.");
            default -> {}
        }
        return call((Connection) proxy, proxy, connection, method, arguments);
    }

    /** A statement, result, array or metadata of a lent connection. */
    private record Part(Connection lent, Object real) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            return method.getName().equals("getConnection") ? lent : call(lent, proxy, real, method, arguments);
        }
    }

    private static @Nullable Object call(
            Connection lent, Object proxy, Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (arguments != null
                && arguments[0] instanceof Class<?> type
                && method.getDeclaringClass() == Wrapper.class
                && type.isInstance(proxy)) {
            return method.getName().equals("unwrap") ? proxy : (Object) true;
        }
        try {
            return lent(lent, method.invoke(real, real(arguments)));
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static @Nullable Object lent(Connection lent, @Nullable Object result) {
        if (result == null) {
            return null;
        }
        for (Class<?> type : PARTS) {
            if (type.isInstance(result)) {
                return proxy(type, new Part(lent, result));
            }
        }
        if (result instanceof Object[] elements) {
            Class<?> type = elements.getClass().getComponentType();
            for (int i = 0; i < elements.length; i++) {
                Object element = lent(lent, elements[i]);
                elements[i] = type.isInstance(element) ? element : elements[i];
            }
        }
        return result;
    }

    /** Unwraps arguments, because drivers expect their own objects, such as arrays. */
    private static Object @Nullable [] real(Object @Nullable [] arguments) {
        if (arguments == null) {
            return null;
        }
        Object[] real = arguments.clone();
        for (int i = 0; i < real.length; i++) {
            if (real[i] != null
                    && Proxy.isProxyClass(real[i].getClass())
                    && Proxy.getInvocationHandler(real[i]) instanceof Part part) {
                real[i] = part.real();
            }
        }
        return real;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(LentConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static SQLException notYours(Method method) {
        return new SQLException("A handler called " + method.getName()
                + " on its connection, but the effect and the inbox's mark of the event must end in one transaction,"
                + " which the caller of the inbox ends. Leave it open; throw an exception to roll it back.");
    }
}
