package dev.waybill.table;

/** What a checkup asks about an outbox table. Every statement runs on every database, unless it says otherwise, and changes nothing. */
final class TableCheckupSql {
    private TableCheckupSql() {}

    static final String MAY_MARK_STATE = "update {table} set {state} = {state} where 1 = 0";

    static final String MAY_MARK_TIME = "update {table} set {published_at} = {published_at} where 1 = 0";

    static final String MAY_DELETE = "delete from {table} where 1 = 0";

    static final String MAY_LEASE = "update {relay} set epoch = epoch where 1 = 0";

    static final String MAY_CLAIM = "delete from {claim} where 1 = 0";

    /** MariaDB only. */
    static final String MARIADB_CIPHER = "show session status like 'Ssl_cipher'";

    /** Of an outbox table, by its name as it stands in a statement. */
    static final String INVALID_INDEXES = """
            select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
             where x.indrelid = to_regclass(?) and not (x.indisvalid and x.indisready)""";
}
