package dev.waybill.table;

/** The statements of replays over an outbox table, which every database understands. */
final class TableReplaySql {
    private TableReplaySql() {}

    static final String IS_REPLAY = "select name from {replay} where name = ? and outbox = ?";

    // ---- beginning

    static final String LAST_NUMBER = "select max({sequence}) from {table}";

    static final String LAST_TIME = "select max({created_at}) from {table}";

    static final String NEXT_EVENT = """
            select {sequence}, {created_at} from {table} where {sequence} > ? and {sequence} <= ?
             order by {sequence} limit 1""";

    static final String CREATE = """
            insert into {replay} (created_from, created_until, event_type, aggregate_type, aggregate_id, who, why, name, outbox,
                                  at_value, at_id, at_created, up_to, started_at, read_all, total, total_exact, sent)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null, ?, ?, {clock}, false, 0, false, 0)""";

    static final String SAVE_TOTAL = "update {replay} set total = ?, total_exact = ? where name = ?";

    // ---- sending

    static final String SAVE = """
            update {replay} set at_value = ?, at_id = ?, at_created = ?, read_all = ?, sent = sent + ? where name = ?""";

    static final String OF_KEYS = """
            select row_id, key_hash, position, state, holds, attempts, error, next_attempt_at from {claim}
             where concat(outbox, '') = ? and (state <> 'dead' or holds) and key_hash {among} order by position, row_id""";

    /** Keys whose first one is not to be retried; somebody took that away. */
    static final String WITHOUT_HEAD = """
            select distinct key_hash from {claim} c where outbox = ? and state = 'behind'
               and not exists (select 1 from {claim} h
                                where h.outbox = c.outbox and h.key_hash = c.key_hash and (h.state = 'retry' or h.holds){row_by_row})""";

    // ---- ending

    static final String CANCEL = """
            update {replay} set cancelled_by = ?, cancelled_why = ?
             where name = ? and ended_at is null and cancelled_by is null""";

    /** Whoever ran it and is late can settle nothing any more. */
    static final String TAKE_FROM_NOBODY = """
            update {relay} set owner = null, lease_until = 0, epoch = epoch + 1 where name = ? and lease_until <= {clock}""";

    static final String END = """
            update {replay} set ended_at = {clock}, not_sent = ?, not_sent_exact = ? where name = ? and ended_at is null""";

    static final String FORGET_WAITING = "delete from {claim} where outbox = ? and state <> 'dead'";

    static final String DROP = "delete from {replay} where name = ?";

    // ---- telling

    static final String REPLAYS = """
            select q.name, q.created_from, q.created_until, q.event_type, q.aggregate_type, q.aggregate_id, q.who, q.why,
                   q.started_at, q.cancelled_by, q.cancelled_why, q.ended_at, r.owner, r.epoch, r.lease_until,
                   r.lease_until > {clock}, r.paused, q.at_value, q.at_id, q.at_created, q.up_to, q.read_all, q.total,
                   q.total_exact, q.sent, q.not_sent, q.not_sent_exact,
                   (select count(*) from {claim} c where c.outbox = r.outbox and c.state <> 'dead'),
                   (select count(*) from {claim} c where c.outbox = r.outbox and c.state = 'dead')
              from {replay} q join {relay} r on r.name = q.name
             where q.outbox = ? order by q.started_at, q.name""";
}
