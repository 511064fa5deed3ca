package dev.waybill.table;

import java.util.List;

/** The statements of {@link TableStoreAdmin} that every database understands. */
final class TableAdminSql {
    private TableAdminSql() {}

    static final String RELAY = """
            select name, owner, epoch, lease_until, lease_until > {clock}, paused, {clock} from {relay} where outbox = ?""";

    static final String COUNT_PENDING = """
            select count(*), min(x.created) from (
                select {created_at} as created from {table} where {is_pending} order by {order} limit ?) x""";

    /** Without those of which only the side table says that they are dead. */
    static final String COUNT_FRESH = """
            select count(*), min(t.created) from (
                select {id}, {created_at} as created from {table} where {is_pending} order by {order} limit ?) t
             where not exists (select 1 from {claim} c where concat(c.outbox, '') = ? and c.state = 'dead' and c.row_id = {id_text}{row_by_row})""";

    static final String COUNT_DEAD = """
            select count(*) from (select {id} from {table} where {is_dead} limit ?) x""";

    static final String COUNT_SIDE = """
            select count(*) from (select row_id from {claim} where outbox = ? and state = ? limit ?) x""";

    static final String ANY_BLOCKER = """
            select min(position) from {claim} where outbox = ? and (state = 'retry' or holds)""";

    static final String STORY = "select {listed_columns}, {payload_length} from {table} where {id} {among}";

    // ---- lists, newest first

    static final String LISTED_BY_ID = "select {listed_columns} from {table} where {id} {among}";

    /** {which} says which rows. */
    static final String NUMBERED = """
            select {listed_columns} from {table} where {which} and {sequence} < ? and {sequence} >= ?
             order by {sequence} desc limit ?""";

    /** {below} is a place in the order, or nothing. */
    static final String BY_ID = "select {listed_columns} from {table} where 1 = 1 {below} order by {id} desc limit ?";

    static final String BELOW_ID = "and {id} < ?";

    /** {above} is a time, or nothing. */
    static final String BY_TIME = """
            select {listed_columns} from {table} where {which} {above} {below}
             order by {created_at} desc, {id} desc limit ?""";

    static final String ABOVE_TIME = "and {created_at} >= ?";

    static final String BELOW_TIME = "and {created_at} < ?";

    static final String BELOW_ROW = "and {created_at} <= ? and ({created_at} < ? or {id} < ?)";

    /** Several of {@link #BY_TIME} in one order: the columns by which they are ordered stand where {@link ThinRow} reads them. */
    static String merged(List<String> lists) {
        return lists.size() == 1
                ? lists.get(0)
                : "(" + String.join(") union all (", lists) + ") order by 6 desc, 1 desc limit ?";
    }

    static final String SIDE_DOWN = """
            select row_id, position from {claim}
             where outbox = ? and state = ? and position <= ? and (position < ? or row_id < ?)
             order by position desc, row_id desc limit ?""";

    static final String ENDS = "select min({sequence}), max({sequence}) from {table}";

    static final String CREATED_FROM = """
            select {sequence}, {created_at} from {table} where {sequence} >= ? order by {sequence} limit 1""";

    static final String PAYLOAD = """
            select {payload}, {payload_bytes_or_null}, {content_type_or_null} from {table} where {id} {among}""";

    /** Whoever changes what waits holds this lock, as the relay does when it settles. */
    static final String LOCK = "select {clock} from {relay} where name = ? and outbox = ? for update";

    static final String CHANGED = "update {relay} set changes = changes + 1 where name = ?";

    static final String PAUSE = "update {relay} set paused = ? where name = ? and outbox = ?";

    static final String LOCK_LIVE =
            "select owner, lease_until > {clock} from {relay} where name = ? and outbox = ? for update";

    static final String DROP = """
            update {relay} set outbox = null, owner = null, epoch = epoch + 1, lease_until = 0, paused = false
             where name = ? and outbox = ?""";

    static final String DROP_CLAIMS = "delete from {claim} where outbox = ?";

    /** Without what waits or is dead in a replay: any number of such rows may be the oldest. */
    static final String OVER = """
            select {id} from {table} t
             where {is_published} and {created_at} <= ? and {published_or_created} <= ?
               and not exists (select 1 from {claim} c join {replay} q on c.outbox = concat(q.outbox, '#', q.name)
                                where c.row_id = {id_text} and q.outbox = ?{row_by_row})
             order by {created_order} limit ?""";

    static final String DELETE = "delete from {table} where {is_published} and {id} {among}";

    static final String WRITE_AUDIT = """
            insert into {audit} (done_at, who, why, action, outbox, relay, details)
            values ({clock}, ?, ?, ?, ?, ?, ?)""";

    static final String READ_AUDIT = """
            select done_at, who, why, action, relay, details from {audit} where outbox = ? order by id desc limit ?""";
}
