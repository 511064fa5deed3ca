package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.PostgresSettings;
import dev.waybill.jdbc.kernel.SessionSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An outbox table on PostgreSQL. */
final class PostgresRelaySql implements RelayDialect {
    /** Rows that the planner expects; the first match is that of the whole plan. */
    private static final Pattern PLANNED = Pattern.compile("\"Plan Rows\": ([0-9]+)");

    /**
     * As in the journal: every read uses an index in its order, even if the statistics are from an empty table. A setting
     * without a value is only remembered; some connections change it later.
     */
    private static final String APPLY_SETTINGS = """
            select s.name, case when s.source = 'session' then s.setting end,
                   case when w.value is not null then set_config(s.name, w.value, false) end
              from (values ('default_transaction_isolation', 'read committed'), ('default_transaction_read_only', 'off'),
                           ('synchronous_commit', null), ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'),
                           ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('jit', 'off'),
                           ('plan_cache_mode', 'force_generic_plan'), ('statement_timeout', '25s'), ('lock_timeout', '10s'),
                           ('transaction_timeout', '0'), ('idle_session_timeout', '0'),
                           ('idle_in_transaction_session_timeout', '0')) w(name, value)
              join pg_settings s on s.name = w.name""";

    @Override
    public SessionSettings prepareConnection(Connection connection) throws SQLException {
        return PostgresSettings.apply(connection, APPLY_SETTINGS);
    }

    @Override
    public List<String> commitAsynchronously() {
        return List.of("set synchronous_commit = off");
    }

    @Override
    public List<String> commitSynchronously() {
        return List.of("set local synchronous_commit = on");
    }

    @Override
    public String clock() {
        return "cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
    }

    @Override
    public String transactions() {
        return """
                pg_current_snapshot()::text,
                age(pg_snapshot_xmax(pg_current_snapshot())::xid),
                (select case when has_sequence_privilege(s.name, 'select, usage') then pg_sequence_last_value(s.name) end
                   from (select cast(? as regclass) as name) s),
                pg_backend_pid(),
                pg_current_xact_id_if_assigned() is not null or pg_is_in_recovery()
                    or current_setting('transaction_isolation') <> 'read committed'""";
    }

    @Override
    public String transaction() {
        return "cast(cast(pg_current_xact_id() as text) as bigint)";
    }

    @Override
    public String among(int size) {
        return "= any (?)";
    }

    @Override
    public boolean arrays() {
        return true;
    }

    /**
     * PostgreSQL does not turn a subquery with an offset into a join. A join might compare each row with each side row, since
     * the planner takes a condition with {@code concat} for selective.
     */
    @Override
    public String rowByRow() {
        return " offset 0";
    }

    @Override
    public String keyHash(String key, String aggregateType, String aggregateId) {
        return "md5(convert_to(coalesce(%s::text, coalesce(%s::text, cast(? as text)) || ':' || coalesce(%s::text, '')), 'UTF8'))"
                .formatted(key, aggregateType, aggregateId);
    }

    @Override
    public List<String> limitLockWait() {
        return List.of("set lock_timeout = '1s'");
    }

    @Override
    public String length(String column) {
        return "octet_length(" + column + "::text)";
    }

    @Override
    public String isLarge(String column) {
        return "(pg_column_size(" + column + ") > 16384 or (pg_column_compression(" + column
                + ") is not null and octet_length(" + column + "::text) > 16384))";
    }

    @Override
    public String sequence() {
        return """
                select s.seqrelid::regclass::text, s.seqcache from pg_sequence s
                 where s.seqrelid = pg_get_serial_sequence(?, ?)::regclass""";
    }

    @Override
    public String bytes(String column) {
        return "convert_to(" + column + "::text, getdatabaseencoding())";
    }

    /** Uses the collation of the side table's columns: its indexes do not serve comparisons in another collation. */
    @Override
    public String asText(String column) {
        return column + "::text collate \"default\"";
    }

    @Override
    public String estimatePending() {
        return "explain (format json) select 1 from {table} where {is_pending}";
    }

    @Override
    public long estimated(ResultSet row) throws SQLException {
        Matcher rows = PLANNED.matcher(row.getString(1));
        return rows.find() ? Long.parseLong(rows.group(1)) : 0;
    }

    @Override
    public String lease() {
        return """
                insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts, owner, lease_until)
                values (?, ?, '', 0, 'leased', false, 0, ?, {clock} + ?) on conflict do nothing""";
    }
}
