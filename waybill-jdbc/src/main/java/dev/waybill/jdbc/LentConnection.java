package dev.waybill.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The connection of an inbox's transaction as a handler sees it. The handler cannot end the transaction: what it did would be
 * kept without the mark, or lost with it. Closing does nothing, since whoever lent the connection closes it. Savepoints are
 * the handler's own.
 */
final class LentConnection implements InvocationHandler {
    private final Connection connection;

    private LentConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                LentConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new LentConnection(connection));
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
            case "equals" -> {
                return proxy == first;
            }
            default -> {}
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static SQLException notYours(Method method) {
        return new SQLException(
                "A handler called " + method.getName()
                        + " on the connection it was given, but the effect and the inbox's mark of the event end in one"
                        + " transaction, which is the caller's of the inbox. Leave it open; throw an exception to roll it back.");
    }
}
