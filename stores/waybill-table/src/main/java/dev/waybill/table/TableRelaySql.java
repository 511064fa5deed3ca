package dev.waybill.table;

/**
 * The statements of a relay over an outbox table that every database understands; {@link TableText} puts names, columns and
 * what differs into their places.
 */
final class TableRelaySql {
    private TableRelaySql() {}

    /** These fail when a table or a column is missing. */
    static final String LOOK_AT_TABLE = "select {all_event_columns} from {table} where 1 = 0";

    static final String LOOK_AT_SIDE_TABLES = "select 1 from {claim}, {relay}, {audit}, {replay} where 1 = 0";

    // ---- rows

    /** Rows after a place, in order. Payloads come along only of rows that were not read before. */
    static final String PAGE = """
            select {event_columns} from {table}
             where {is_pending} and {after} order by {order} limit ?""";

    /** The same without rows of which the side table speaks, and without rows of closed keys. */
    static final String OPEN_PAGE = """
            select {event_columns} from {table} t
             where {is_pending} and {after}
               and not exists (select 1 from {claim} c where concat(c.outbox, '') = ? and c.row_id = {id_text}{row_by_row})
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.key_hash = {key_hash_of_row} and c.holds = false
                                  and c.state = 'retry'{row_by_row})
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.key_hash = {key_hash_of_row} and c.holds = true
                                  and c.state = 'dead'{row_by_row})
             order by {order} limit ?""";

    /** The same rows without what is in them. */
    static final String THIN_PAGE = """
            select {thin_columns} from {table}
             where {is_pending} and {after} order by {order} limit ?""";

    static final String THIN_DEAD = """
            select {thin_columns} from {table}
             where {is_dead} and {after} order by {order} limit ?""";

    static final String ROWS_BY_ID = "select {all_event_columns} from {table} where {id} {among} and {is_pending}";

    static final String PENDING_IDS = "select {id} from {table} where {id} {among} and {is_pending}";

    static final String PAYLOADS = "select {id}, {payload}, {payload_bytes_or_null} from {table} where {id} {among}";

    static final String THIN_BY_ID = """
            select {thin_columns}, case when {is_pending} then 'pending' when {is_dead} then 'dead' else 'done' end
              from {table} where {id} {among}""";

    /** Those that nobody has locked; they stay so until the transaction ends. */
    static final String LOCK_FREE = "select {id} from {table} where {id} {among} for update skip locked";

    static final String UPDATE_ROWS = "update {table} set {sets} where {id} {among}";

    /** Numbers follow each other in the index, and ids do not. */
    static final String UPDATE_NUMBERED = "update {table} set {sets} where {sequence} {among}";

    static final String UPDATE_ROW = "update {table} set {sets} where {id} = ?";

    // ---- the relay's row

    static final String CLOCK = "select {clock}";

    static final String FIND_RELAY = "select name, outbox from {relay} where name = ? or outbox = ?";

    static final String CREATE_RELAY = """
            insert into {relay} (name, outbox, owner, epoch, lease_until, paused, changes)
            values (?, ?, null, 0, 0, false, 0)""";

    /** A relay that was dropped; its epoch goes on. */
    static final String REVIVE_RELAY =
            "update {relay} set outbox = ?, paused = false where name = ? and outbox is null";

    static final String ACQUIRE = """
            update {relay} set owner = ?, epoch = epoch + 1, lease_until = {clock} + ?
             where name = ? and outbox = ? and (owner is null or owner = ? or lease_until < {clock})""";

    static final String EPOCH = "select epoch from {relay} where name = ?";

    static final String RENEW = "update {relay} set lease_until = {clock} + ? where name = ? and epoch = ?";

    static final String RELEASE = "update {relay} set owner = null, lease_until = {clock} where name = ? and epoch = ?";

    /** Locks the relay's row: whoever settles or mends does it alone. */
    static final String FENCE = "select epoch, {clock} from {relay} where name = ? for update";

    // ---- side rows; outbox is the same in most of them, so no index is to begin with it where an id or a key is known

    /**
     * Of each key only the first: others are due behind it, in any number, and would fill the list. What is dead and holds its
     * key goes before what follows it, too.
     */
    static final String DUE_HEADS = """
            select c.row_id, c.key_hash, c.position, c.state, c.holds, c.attempts, c.error, c.next_attempt_at from {claim} c
             where c.outbox = ? and c.state = 'retry' and c.next_attempt_at <= ?
               and not exists (select 1 from {claim} h
                                where concat(h.outbox, '') = c.outbox and h.key_hash = c.key_hash and h.holds = false
                                  and h.state = 'retry' and h.position < c.position{row_by_row})
               and not exists (select 1 from {claim} h
                                where concat(h.outbox, '') = c.outbox and h.key_hash = c.key_hash and h.holds = true
                                  and h.state = 'dead' and h.position < c.position{row_by_row})
             order by {due_order} limit ?""";

    /** What waits of these keys, in order; {most} is a number. */
    static final String WAITING_OF_KEYS = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where concat(outbox, '') = ? and holds = false and state = 'retry' and key_hash {among}
             order by {waiting_order} limit {most}""";

    static final String SIDE_ROWS = "select row_id from {claim} where concat(outbox, '') = ? and row_id {among}";

    /** The first of each key that waits for its retry; or, asked so, that is dead and holds it. */
    static final String BLOCKERS = """
            select key_hash, min(position) from {claim}
             where concat(outbox, '') = ? and holds = ? and state = ? and key_hash {among} group by key_hash""";

    static final String PUT_SIDE = """
            insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts, error, next_attempt_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    static final String DROP_SIDE = "delete from {claim} where concat(outbox, '') = ? and row_id {among}";

    /** Rows of a state, or those that hold their keys: {column} is one of the two. */
    static final String SIDE_PAGE = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where outbox = ? and {column} = ? and position > ?
             order by {side_order} limit ?""";

    /** The rest of one position. */
    static final String SIDE_REST = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where outbox = ? and {column} = ? and position = ? and row_id > ?
             order by {side_order} limit ?""";

    static final String SIDE_BY_ID = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where concat(outbox, '') = ? and row_id {among}""";
}
