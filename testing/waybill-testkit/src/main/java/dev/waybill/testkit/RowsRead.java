package dev.waybill.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Counts the rows and index entries that a session's statements make its database read. */
public final class RowsRead {
    private static final Pattern SCANNED = Pattern.compile("scanCount: ([0-9]+)");

    private final EmptyDatabase database;
    private final ExplainedStatements explained;
    private final List<Read> reads = new ArrayList<>();

    private record Read(long rows, String sql) {}

    public RowsRead(EmptyDatabase database) {
        this.database = database;
        this.explained = new ExplainedStatements(database.dataSource());
    }

    public DataSource dataSource() {
        if (database.kind() == Database.POSTGRESQL) {
            return explained.dataSource();
        }
        return proxy(DataSource.class, (self, method, arguments) -> {
            Connection connection = database.connect();
            return proxy(Connection.class, (me, called, values) -> {
                Object result = call(connection, called, values);
                return result instanceof PreparedStatement statement
                        ? proxy(PreparedStatement.class, counting(connection, statement, (String) values[0]))
                        : result;
            });
        });
    }

    /** Number of rows read since the last call. */
    public long take() {
        explained.take().forEach(one -> reads.add(new Read(one.touched(), one.sql())));
        long rows = reads.stream().mapToLong(Read::rows).sum();
        costliest = reads.stream()
                .max(Comparator.comparingLong(Read::rows))
                .map(Read::toString)
                .orElse("nothing");
        reads.clear();
        return rows;
    }

    private String costliest = "nothing";

    /** The statement that read most of what the last {@link #take} counted. */
    public String costliest() {
        return costliest;
    }

    private InvocationHandler counting(Connection connection, PreparedStatement statement, String sql)
            throws SQLException {
        return database.kind() == Database.MARIADB
                ? (self, method, arguments) -> onMariaDb(connection, statement, sql, method, arguments)
                : onH2(connection, statement, sql);
    }

    private Object onMariaDb(
            Connection connection, PreparedStatement statement, String sql, Method method, Object[] arguments)
            throws Throwable {
        if (!method.getName().startsWith("execute")) {
            return call(statement, method, arguments);
        }
        try (Statement status = connection.createStatement()) {
            status.execute("flush status");
            Object result = call(statement, method, arguments);
            long rows = 0;
            try (ResultSet row = status.executeQuery("show session status like 'Handler_read%'")) {
                while (row.next()) {
                    rows += row.getLong(2);
                }
            }
            reads.add(new Read(rows, sql));
            return result;
        }
    }

    private InvocationHandler onH2(Connection connection, PreparedStatement statement, String sql) throws SQLException {
        boolean explainable = sql.startsWith("select") && !sql.contains("for update");
        PreparedStatement explain = explainable ? connection.prepareStatement("explain analyze " + sql) : null;
        return (self, method, arguments) -> {
            if (explain != null && method.getName().startsWith("set") && arguments.length > 1) {
                call(explain, method, arguments);
            }
            if (explain != null && method.getName().equals("executeQuery")) {
                try (ResultSet row = explain.executeQuery()) {
                    row.next();
                    reads.add(new Read(scanned(row.getString(1)), sql));
                }
            }
            return call(statement, method, arguments);
        };
    }

    private static long scanned(String plan) {
        Matcher scans = SCANNED.matcher(plan);
        long rows = 0;
        while (scans.find()) {
            rows += Long.parseLong(scans.group(1));
        }
        return rows;
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
