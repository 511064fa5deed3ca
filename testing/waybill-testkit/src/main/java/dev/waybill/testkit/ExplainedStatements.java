package dev.waybill.testkit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import javax.sql.DataSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Has the server explain every query of a session just before it runs: the same text and values on the same connection, planned
 * as a prepared statement under the session's own settings.
 */
public final class ExplainedStatements {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final DataSource real;
    private final List<Explained> explained = new ArrayList<>();

    /**
     * @param rows number of rows it returned
     * @param touched rows that its scans read, including those removed by a filter
     * @param buffers pages it read, from memory or disk
     * @param nodes the types of its plan's nodes
     */
    public record Explained(String sql, long rows, long touched, long buffers, List<String> nodes) {}

    public ExplainedStatements(DataSource real) {
        this.real = real;
    }

    /** The statements explained since the last call. */
    public List<Explained> take() {
        List<Explained> taken = List.copyOf(explained);
        explained.clear();
        return taken;
    }

    public DataSource dataSource() {
        return proxy(DataSource.class, (self, method, arguments) -> {
            Connection connection = real.getConnection();
            return proxy(Connection.class, (me, called, values) -> {
                Object result = call(connection, called, values);
                return result instanceof PreparedStatement statement
                        ? proxy(PreparedStatement.class, new Explaining(connection, statement, (String) values[0]))
                        : result;
            });
        });
    }

    private final class Explaining implements InvocationHandler {
        private final Connection connection;
        private final PreparedStatement statement;
        private final String sql;
        private final TreeMap<Integer, Object> values = new TreeMap<>();
        private boolean inBatch;

        Explaining(Connection connection, PreparedStatement statement, String sql) {
            this.connection = connection;
            this.statement = statement;
            this.sql = sql;
        }

        @Override
        public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
            if (method.getName().startsWith("set") && arguments.length > 1) {
                values.put((Integer) arguments[0], arguments[1]);
            } else if (sql.startsWith("explain")) {
                return call(statement, method, arguments);
            } else if (!connection.getAutoCommit() && isExecution(method)) {
                explained.add(explainAndUndo());
            } else if (method.getName().equals("executeQuery") && sql.contains("select") && !isChange()) {
                explained.add(explain());
            }
            return call(statement, method, arguments);
        }

        /** A function of the schema may make changes, which cannot be undone here. */
        private boolean isChange() {
            return sql.startsWith("select waybill.");
        }

        /** Explains only the first statement of a batch. */
        private boolean isExecution(Method method) {
            boolean added = method.getName().equals("addBatch");
            boolean first = added && !inBatch;
            inBatch = added || (inBatch && !method.getName().equals("executeBatch"));
            return first
                    || method.getName().equals("executeUpdate")
                    || method.getName().equals("executeQuery");
        }

        /** Explaining a change executes it, so it is rolled back before the statement itself runs. */
        private Explained explainAndUndo() throws SQLException {
            Savepoint before = connection.setSavepoint();
            try {
                return explain();
            } finally {
                connection.rollback(before);
            }
        }

        private Explained explain() throws SQLException {
            try (Statement explain = connection.createStatement()) {
                explain.execute("prepare explained as " + numbered(sql));
                try (ResultSet row = explain.executeQuery(
                        "explain (analyze, buffers, format json) execute explained" + literals())) {
                    row.next();
                    JsonNode plan = JSON.readTree(row.getString(1)).get(0).get("Plan");
                    List<String> nodes = new ArrayList<>();
                    collect(plan, nodes);
                    return new Explained(
                            sql,
                            plan.get("Actual Rows").asLong(),
                            Math.round(touched(plan)),
                            plan.get("Shared Hit Blocks").asLong()
                                    + plan.get("Shared Read Blocks").asLong(),
                            nodes);
                } finally {
                    explain.execute("deallocate explained");
                }
            }
        }

        /** As the driver writes it, which writes the lowest time as minus infinity. */
        private static String literal(Object value) {
            boolean lowest = LocalDateTime.MIN.equals(value) || OffsetDateTime.MIN.equals(value);
            return value == null ? "null" : "'" + (lowest ? "-infinity" : value) + "'";
        }

        private String literals() {
            List<String> literals =
                    values.values().stream().map(Explaining::literal).toList();
            return literals.isEmpty() ? "" : "(" + String.join(", ", literals) + ")";
        }
    }

    private static void collect(JsonNode node, List<String> nodes) {
        nodes.add(node.get("Node Type").asString());
        if (node.has("Plans")) {
            node.get("Plans").forEach(child -> collect(child, nodes));
        }
    }

    private static double touched(JsonNode node) {
        double rows = 0;
        if (node.get("Node Type").asString().contains("Scan") && node.has("Relation Name")) {
            double each = node.get("Actual Rows").asDouble()
                    + number(node, "Rows Removed by Filter")
                    + number(node, "Rows Removed by Index Recheck");
            rows = each * node.get("Actual Loops").asDouble();
        }
        if (node.has("Plans")) {
            for (JsonNode child : node.get("Plans")) {
                rows += touched(child);
            }
        }
        return rows;
    }

    private static double number(JsonNode node, String name) {
        return node.has(name) ? node.get(name).asDouble() : 0;
    }

    private static String numbered(String sql) {
        Matcher mark = java.util.regex.Pattern.compile("\\?").matcher(sql);
        int[] number = {0};
        return mark.replaceAll(found -> Matcher.quoteReplacement("$" + ++number[0]));
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
