package dev.waybill.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a pooler in transaction mode looks like to a client: one connection, but behind it another server process may answer
 * from one transaction to the next. Single-threaded.
 */
final class TransactionPooler {
    /** A prime, so that a client's statements do not fall in step with it. */
    private static final int SERVERS = 7;

    private final List<Connection> servers = new ArrayList<>();
    private final boolean swapsAlways;
    private int current;
    private boolean inTransaction;

    private TransactionPooler(DataSource servers, boolean swapsAlways) throws SQLException {
        this.swapsAlways = swapsAlways;
        for (int i = 0; i < SERVERS; i++) {
            this.servers.add(servers.getConnection());
        }
    }

    static TransactionPooler swappingAlways(DataSource servers) throws SQLException {
        return new TransactionPooler(servers, true);
    }

    static TransactionPooler swappingWhenTold(DataSource servers) throws SQLException {
        return new TransactionPooler(servers, false);
    }

    /** From the next transaction on another server process answers. */
    void swap() {
        current = (current + 1) % SERVERS;
    }

    List<Connection> servers() {
        return servers;
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (self, method, arguments) -> {
            requireOneOf(method, "getConnection");
            return proxy(Connection.class, this::onConnection);
        });
    }

    private Object onConnection(Object self, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "prepareStatement" -> proxy(PreparedStatement.class, new Recorded((String) arguments[0]));
            case "createStatement" ->
                proxy(Statement.class, (statement, called, values) -> onStatement(called, values));
            case "setAutoCommit" -> setAutoCommit((boolean) arguments[0]);
            case "close" -> null;
            // A pooler that is noticed at once: it greets its clients itself.
            case "isWrapperFor" -> !swapsAlways && (boolean) call(servers.get(current), method, arguments);
            default -> call(servers.get(current), method, arguments);
        };
    }

    private Object setAutoCommit(boolean autoCommit) throws SQLException {
        if (inTransaction == autoCommit) {
            (autoCommit ? servers.get(current) : next()).setAutoCommit(autoCommit);
        }
        inTransaction = !autoCommit;
        return null;
    }

    private Connection next() {
        if (swapsAlways && !inTransaction) {
            swap();
        }
        return servers.get(current);
    }

    private Object onStatement(Method method, Object[] arguments) throws Throwable {
        requireOneOf(method, "execute", "executeQuery", "close");
        return method.getName().equals("close") ? null : call(next().createStatement(), method, arguments);
    }

    /** Remembers its parameters until it is executed, then prepares itself wherever it lands. */
    private final class Recorded implements InvocationHandler {
        private final String sql;
        private final List<Call> calls = new ArrayList<>();

        Recorded(String sql) {
            this.sql = sql;
        }

        private record Call(Method method, Object[] arguments) {}

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
            if (!method.getName().startsWith("execute")) {
                calls.add(new Call(method, arguments));
                return null;
            }
            PreparedStatement statement = next().prepareStatement(sql);
            for (Call made : calls) {
                call(statement, made.method(), made.arguments());
            }
            calls.clear();
            return call(statement, method, arguments);
        }
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void requireOneOf(Method method, String... names) {
        if (!List.of(names).contains(method.getName())) {
            throw new UnsupportedOperationException(method.toString());
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
