package dev.waybill.jdbc;

/** The statements of {@link TableStoreAdmin} that every database understands. */
final class TableAdminSql {
    private TableAdminSql() {}

    static final String RELAY = """
            select name, owner, epoch, lease_until, lease_until > {clock}, paused, {clock} from {relay} where outbox = ?""";

    static final String COUNT_PENDING = """
            select count(*), min(x.created) from (
                select {created_at} as created from {table} where {is_pending} order by {order} limit ?) x""";

    static final String COUNT_DEAD = """
            select count(*) from (select {id} from {table} where {is_dead} limit ?) x""";

    static final String COUNT_SIDE = """
            select count(*) from (select row_id from {claim} where outbox = ? and state = ? limit ?) x""";

    static final String ANY_BLOCKER = """
            select min(position) from {claim} where outbox = ? and (state = 'retry' or holds)""";

    static final String STORY = """
            select {thin_columns}, case when {is_pending} then 'pending' when {is_dead} then 'dead' else 'done' end,
                   {aggregate_type_or_null}, {payload_length}, {published_at_or_null}
              from {table} where {id} {among}""";

    /** Whoever changes what waits holds this lock, as the relay does when it settles. */
    static final String LOCK = "select {clock} from {relay} where name = ? and outbox = ? for update";

    static final String CHANGED = "update {relay} set changes = changes + 1 where name = ?";

    static final String PAUSE = "update {relay} set paused = ? where name = ? and outbox = ?";

    static final String DROP = """
            update {relay} set outbox = null, owner = null, epoch = epoch + 1, lease_until = 0, paused = false
             where name = ? and outbox = ?""";

    static final String DROP_CLAIMS = "delete from {claim} where outbox = ?";

    static final String OVER = """
            select {id} from {table}
             where {is_published} and {created_at} <= ? and {published_or_created} <= ?
             order by {created_at} limit ?""";

    static final String DELETE = "delete from {table} where {is_published} and {id} {among}";

    static final String WRITE_AUDIT = """
            insert into {audit} (done_at, who, why, action, outbox, relay, details)
            values ({clock}, ?, ?, ?, ?, ?, ?)""";

    static final String READ_AUDIT = """
            select done_at, who, why, action, relay, details from {audit} where outbox = ? order by id desc limit ?""";
}
