package dev.waybill.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Connections that fail during an operation. */
public final class BrokenConnections {
    private BrokenConnections() {}

    /** A data source whose connections fail to roll back. */
    public static DataSource withoutRollback(DataSource real) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof Connection connection ? withoutRollback(connection) : result;
        });
    }

    private static Connection withoutRollback(Connection real) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("rollback")) {
                throw new SQLException("the rollback did not get through");
            }
            return call(real, method, arguments);
        });
    }

    /** Throws an {@code OutOfMemoryError} before the first statement that contains this text. */
    public static Connection failingAt(Connection real, String text) {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = call(real, method, arguments);
            return result instanceof Statement statement && method.getName().equals("createStatement")
                    ? failingAt(statement, text)
                    : result;
        });
    }

    private static Statement failingAt(Statement real, String text) {
        return proxy(Statement.class, (method, arguments) -> {
            if (arguments != null && arguments[0] instanceof String sql && sql.contains(text)) {
                throw new OutOfMemoryError("not really");
            }
            return call(real, method, arguments);
        });
    }

    private interface Called {
        Object with(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Called called) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> called.with(method, arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
