package dev.waybill.table.rows;

import dev.waybill.jdbc.kernel.MariaDbSettings;
import dev.waybill.jdbc.kernel.SessionSettings;
import dev.waybill.jdbc.layout.MariaDbLayoutSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** An outbox table on MariaDB. */
final class MariaDbRelaySql implements RelayDialect {
    @Override
    public SessionSettings prepareConnection(Connection connection) throws SQLException {
        return MariaDbSettings.apply(connection);
    }

    @Override
    public String clock() {
        return "cast(unix_timestamp(sysdate(6)) * 1000000 as signed)";
    }

    @Override
    public String transactions() {
        return "null, 0, ?, connection_id(), false";
    }

    @Override
    public String keyHash(String key, String aggregateType, String aggregateId) {
        return "md5(coalesce(convert(%s using utf8mb4), concat(coalesce(convert(%s using utf8mb4), ?), ':', coalesce(convert(%s using utf8mb4), ''))))"
                .formatted(key, aggregateType, aggregateId);
    }

    @Override
    public List<String> limitLockWait() {
        return List.of("set innodb_lock_wait_timeout = 1");
    }

    /** It does if the list has most of the keys. */
    @Override
    public boolean mayReadAllForLists() {
        return true;
    }

    @Override
    public String length(String column) {
        return "octet_length(" + column + ")";
    }

    @Override
    public String asText(String column) {
        return "cast(" + column + " as char character set utf8mb4) collate " + MariaDbLayoutSql.COLLATION;
    }

    @Override
    public String estimatePending() {
        return "explain select 1 from {table} where {is_pending}";
    }

    @Override
    public long estimated(ResultSet row) throws SQLException {
        return row.getLong("rows");
    }

    @Override
    public String lease() {
        return """
                insert ignore into {claim}
                    (outbox, row_id, key_hash, position, state, holds, attempts, owner, lease_until)
                values (?, ?, '', 0, 'leased', false, 0, ?, {clock} + ?)""";
    }
}
