package dev.waybill.testkit;

import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.faults.InjectedError;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose calls can be made to fail. It counts the calls that reach the server: connecting, executing,
 * committing, rolling back, savepoints, closing, and setting autocommit where that ends a transaction.
 */
public final class JdbcFaults implements FaultInjection {
    private final Faults faults = new Faults();
    private final AtomicInteger open = new AtomicInteger();
    private final Source source;
    private final ServerErrors errors;

    /** Source of connections, to which closed ones are returned. */
    public interface Source {
        Connection take() throws SQLException;

        void giveBack(Connection connection) throws SQLException;
    }

    public JdbcFaults(Source source, ServerErrors errors) {
        this.source = source;
        this.errors = errors;
    }

    public static JdbcFaults onPostgres(Source source) {
        return new JdbcFaults(source, ServerErrors.POSTGRESQL);
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.allOf(Failure.class);
    }

    @Override
    public int openConnections() {
        return open.get();
    }

    public DataSource dataSource() {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                throw new UnsupportedOperationException(method.getName());
            }
            return connect();
        });
    }

    private interface Call {
        Object run() throws Throwable;
    }

    private Connection connect() throws Throwable {
        Optional<Failure> failure = faults.next("getConnection");
        if (failure.isPresent()) {
            if (takesEffect(failure.get())) {
                source.giveBack(source.take());
            }
            throw thrown(failure.get(), "getConnection");
        }
        FaultyConnection connection = new FaultyConnection(source.take());
        open.incrementAndGet();
        return proxy(Connection.class, connection);
    }

    private static boolean takesEffect(Failure failure) {
        return failure == Failure.REPLY_LOST || failure == Failure.ERROR_AFTER;
    }

    private Throwable thrown(Failure failure, String call) {
        return switch (failure) {
            case ERROR, ERROR_AFTER, ERROR_TWICE -> new InjectedError(call);
            case LOCK_TIMEOUT, STATEMENT_TIMEOUT, SERIALIZATION_CONFLICT, DISK_FULL, READ_ONLY -> errors.of(failure);
            case BEFORE, REPLY_LOST, DISCONNECTED, HOSTILE_EXCEPTION, STALL ->
                new SQLException("injected: " + call + " failed (" + failure + ")", failure.sqlState());
        };
    }

    private final class FaultyConnection implements InvocationHandler {
        private final Connection connection;
        private boolean dead;
        private boolean closed;

        FaultyConnection(Connection connection) {
            this.connection = connection;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            Call call = () -> JdbcFaults.invoke(method, connection, arguments);
            String name = method.getName();
            if (name.equals("close")) {
                return close();
            }
            if (name.equals("isClosed")) {
                return closed;
            }
            if (name.equals("abort")) {
                die();
                return null;
            }
            requireAlive(name);
            boolean ends = name.equals("commit")
                    || name.equals("rollback")
                    || (name.equals("setAutoCommit") && arguments[0].equals(true) && !connection.getAutoCommit());
            Object result = ends || name.endsWith("Savepoint") ? counted(name, call) : call.run();
            return result instanceof Statement statement ? faulty(statement) : result;
        }

        private Statement faulty(Statement statement) {
            InvocationHandler handler = (proxy, method, arguments) -> {
                Call call = () -> JdbcFaults.invoke(method, statement, arguments);
                if (method.getName().equals("close")) {
                    return call.run();
                }
                requireAlive(method.getName());
                return method.getName().startsWith("execute") ? counted(method.getName(), call) : call.run();
            };
            return statement instanceof PreparedStatement
                    ? proxy(PreparedStatement.class, handler)
                    : proxy(Statement.class, handler);
        }

        private Object counted(String name, Call call) throws Throwable {
            Optional<Failure> failure = faults.next(name);
            if (failure.isEmpty()) {
                return call.run();
            }
            Failure how = failure.get();
            if (takesEffect(how)) {
                call.run();
            }
            if (how == Failure.REPLY_LOST || how == Failure.DISCONNECTED) {
                die();
            }
            if (Failure.OF_A_SERVER.contains(how)) {
                failOnServer(name, how);
            }
            throw thrown(how, name);
        }

        /** A failing commit or savepoint rolls back; all other calls fail like a statement. */
        private void failOnServer(String name, Failure how) throws SQLException {
            if (!name.startsWith("execute")) {
                connection.rollback();
                return;
            }
            errors.raise(connection, how);
        }

        private void die() throws SQLException {
            dead = true;
            if (end()) {
                connection.close();
            }
        }

        private boolean end() {
            boolean first = !closed;
            if (first) {
                closed = true;
                open.decrementAndGet();
            }
            return first;
        }

        /** The connection is closed even if the caller gets an error. */
        private @Nullable Object close() throws Throwable {
            if (!closed) {
                Optional<Failure> failure = faults.next("close");
                end();
                source.giveBack(connection);
                if (failure.isPresent()) {
                    throw thrown(failure.get(), "close");
                }
            }
            return null;
        }

        private void requireAlive(String call) throws SQLException {
            if (closed) {
                String state = dead ? "dead" : "closed";
                throw new SQLException("The connection of " + call + " is " + state + ".", "08003");
            }
        }
    }

    private static Object invoke(Method method, Object target, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(JdbcFaults.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
