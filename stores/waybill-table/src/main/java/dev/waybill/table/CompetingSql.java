package dev.waybill.table;

/** The statements of relays that compete for the rows of a table. */
final class CompetingSql {
    private CompetingSql() {}

    /**
     * Locks rows that nobody works on, so that only one process takes each. A row that was published since the statement began
     * is looked at again once it is locked, and left out.
     */
    static final String LOCK_FREE_ROWS = """
            select {id} from {table} t
             where {is_pending} and {after}
               and not exists (select 1 from {claim} c
                                where concat(c.outbox, '') = ? and c.row_id = {id_text}
                                  and (c.state = 'dead' or c.lease_until >= {clock} or c.next_attempt_at > ?){row_by_row})
             order by {order} limit ? for update skip locked""";

    /** Leases that ran out, and rows that wait for a retry that is due. */
    static final String TAKE_OVER = """
            update {claim} set owner = ?, lease_until = {clock} + ?
             where concat(outbox, '') = ? and state <> 'dead' and (lease_until is null or lease_until < {clock})
               and (next_attempt_at is null or next_attempt_at <= ?) and row_id {among}""";

    static final String OWN =
            "select row_id, attempts from {claim} where concat(outbox, '') = ? and owner = ? and row_id {among}";

    /** Rows first, then leases, as whoever claims does: else two could wait for each other. */
    static final String LOCK_ROWS = "select {id} from {table} where {id} {among} for update";

    /** Whoever settles rows holds their leases until it has committed. */
    static final String LOCK_OWN =
            "select row_id, attempts from {claim} where concat(outbox, '') = ? and owner = ? and row_id {among} for update";

    static final String LOCK_SIDE =
            "select row_id from {claim} where concat(outbox, '') = ? and row_id {among} for update";

    static final String LOCK_FREE_SIDE = LOCK_SIDE + " skip locked";

    /** Rows with a lease that runs. */
    static final String AT_WORK =
            "select row_id from {claim} where concat(outbox, '') = ? and lease_until >= {clock} and row_id {among}";

    static final String RENEW = "update {claim} set lease_until = {clock} + ? where outbox = ? and owner = ?";

    static final String FORGET =
            "delete from {claim} where concat(outbox, '') = ? and owner = ? and state = 'leased' and row_id {among}";

    static final String RELEASE =
            "update {claim} set owner = null, lease_until = null where concat(outbox, '') = ? and owner = ? and row_id {among}";

    static final String FORGET_ALL = "delete from {claim} where outbox = ? and owner = ? and state = 'leased'";

    static final String RELEASE_ALL =
            "update {claim} set owner = null, lease_until = null where outbox = ? and owner = ?";

    static final String NEXT_EPOCH = "update {relay} set epoch = epoch + 1 where name = ? and outbox = ?";

    static final String IS_REGISTERED = "select 1 from {relay} where name = ? and outbox = ?";
}
