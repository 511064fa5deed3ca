package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.H2Settings;
import dev.waybill.jdbc.kernel.SessionSettings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** An outbox table on H2. */
final class H2RelaySql implements RelayDialect {

    @Override
    public SessionSettings prepareConnection(Connection connection) throws SQLException {
        return H2Settings.apply(connection);
    }

    /** Time of the statement: H2 has no clock that advances within a statement. */
    @Override
    public String clock() {
        return "datediff(microsecond, timestamp with time zone '1970-01-01 00:00:00+00', current_timestamp(6))";
    }

    @Override
    public String transactions() {
        return "null, 0, " + textParameter() + ", session_id(), false";
    }

    @Override
    public String textParameter() {
        return "cast(? as varchar)";
    }

    @Override
    public String keyHash(String key, String aggregateType, String aggregateId) {
        return "lower(rawtohex(hash('MD5', coalesce(cast(%s as varchar), coalesce(cast(%s as varchar), cast(? as varchar)) || ':' || coalesce(cast(%s as varchar), '')))))"
                .formatted(key, aggregateType, aggregateId);
    }

    @Override
    public List<String> limitLockWait() {
        return List.of("set lock_timeout 1000");
    }

    /** H2 uses an index for an order only if the order has all columns of the index. */
    @Override
    public String order(String same, String order) {
        return same + ", " + order;
    }

    @Override
    public boolean looksUpLists() {
        return false;
    }

    @Override
    public String length(String column) {
        return "octet_length(cast(" + column + " as varchar))";
    }

    @Override
    public String asText(String column) {
        return "cast(" + column + " as varchar)";
    }

    /** H2 has no row estimates. It is not meant for many rows, so rows are counted up to a limit. */
    @Override
    public String estimatePending() {
        return "select count(*) from (select 1 from {table} where {is_pending} limit 1000000) x";
    }

    @Override
    public long estimated(ResultSet row) throws SQLException {
        return row.getLong(1);
    }

    @Override
    public String lease() {
        return """
                merge into {claim} c using (
                    select cast(? as varchar) as outbox, cast(? as varchar) as row_id, cast(? as varchar) as owner,
                           {clock} + cast(? as bigint) as lease_until) n
                on (c.outbox = n.outbox and c.row_id = n.row_id)
                when not matched then insert
                    (outbox, row_id, key_hash, position, state, holds, attempts, owner, lease_until)
                values (n.outbox, n.row_id, '', 0, 'leased', false, 0, n.owner, n.lease_until)""";
    }
}
