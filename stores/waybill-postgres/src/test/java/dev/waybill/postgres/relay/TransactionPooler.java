package dev.waybill.postgres.relay;

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
 * Behaves like a pooler in transaction mode: one connection, behind which another server process may answer each transaction.
 * Single-threaded.
 */
final class TransactionPooler {
    /** A prime, so that it does not coincide with the rhythm of a client's statements. */
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

    /** Another server process answers from the next transaction on. */
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
            // A pooler that is detected at once, since it answers the start message itself.
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

    /** Keeps its parameters until it is executed, then is prepared on the current server process. */
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
