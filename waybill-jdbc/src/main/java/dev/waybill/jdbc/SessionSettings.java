package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of the journal has set in its server session, and what was set before: a connection of a pool is given back
 * as it came.
 */
final class SessionSettings {
    /**
     * The planner has nothing to decide: every read goes along an index in its order, also when the statistics are from an empty
     * table. Time limits of the database or the role are overridden: a statement ends a little before the network timeout,
     * so that none runs on at the server after its client is gone. What an older server does not know is left out.
     */
    private static final String APPLY = """
            select s.name, case when s.source = 'session' then s.setting end, set_config(s.name, w.value, false)
              from (values ('default_transaction_isolation', 'read committed'), ('default_transaction_read_only', 'off'),
                           ('synchronous_commit', 'on'), ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'),
                           ('enable_sort', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('jit', 'off'),
                           ('plan_cache_mode', 'force_generic_plan'), ('statement_timeout', '25s'), ('lock_timeout', '10s'),
                           ('transaction_timeout', '0'), ('idle_session_timeout', '0'),
                           ('idle_in_transaction_session_timeout', '0')) w(name, value)
              join pg_settings s on s.name = w.name""";

    /** Without a value the setting is that of the role, the database or the server again. */
    private static final String RESTORE =
            "select set_config(x.name, x.value, false) from unnest(?::text[], ?::text[]) x(name, value)";

    /** By name; null for what was not set in the session. */
    private final Map<String, @Nullable String> before;

    private SessionSettings(Map<String, @Nullable String> before) {
        this.before = before;
    }

    static SessionSettings apply(Connection connection) throws SQLException {
        Map<String, @Nullable String> before = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(APPLY)) {
            while (row.next()) {
                before.put(row.getString(1), row.getString(2));
            }
        }
        return new SessionSettings(before);
    }

    void restore(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RESTORE)) {
            statement.setArray(
                    1, connection.createArrayOf("text", before.keySet().toArray()));
            statement.setArray(
                    2, connection.createArrayOf("text", before.values().toArray()));
            statement.execute();
        }
    }
}
