package dev.waybill.jdbc;

/** The statements that make a journal from another cluster this one's own. */
final class PostgresAdoptionSql {
    private PostgresAdoptionSql() {}

    /** Producers wait while it is waited for. */
    static final String SHORT_LOCK_TIMEOUT = "set local lock_timeout = '3s'";

    /** Waits for every transaction that has appended: what is in the table afterwards is committed. */
    static final String LOCK_EVENTS = "lock table waybill.event in access exclusive mode";

    /**
     * The offset until now, the highest number that anything here speaks of, the xid of the oldest row that the restore wrote
     * besides the events, and this transaction's own.
     */
    static final String STANDING = """
            select o.value,
                   greatest(o.value,
                            (select e.xid::text::bigint from waybill.event e order by e.xid desc, e.seq desc limit 1),
                            (select max(greatest(r.base_next::text::bigint, pg_snapshot_xmax(r.base)::text::bigint,
                                                 r.target_next::text::bigint, pg_snapshot_xmax(r.target)::text::bigint))
                               from waybill.relay r)),
                   w.now - (select max((w.now - x.xmin::text::bigint) & 4294967295) from (
                       select i.xmin from waybill.identity i union all select v.xmin from waybill.schema_version v) x),
                   w.now
              from waybill.xid_offset o, (select pg_current_xact_id()::text::bigint as now) w""";

    /**
     * Events that were appended here, after the restore and before the adoption. Their row bears their own xid, or a later one
     * when it was written in a subtransaction; a restored row bears that of the restore.
     */
    static final String MOVE_OWN_EVENTS = """
            update waybill.event e
               set xid = (e.xid::text::bigint - ?::bigint + ?::bigint)::text::xid8
             where e.xid > ?::xid8 and e.xid < ?::xid8
               and e.xid::text::bigint - ?::bigint <= ?::bigint - ((?::bigint - e.xmin::text::bigint) & 4294967295)""";

    static final String SET_OFFSET = "update waybill.xid_offset set value = ?";

    static String addToNewXids(long offset) {
        return "alter table waybill.event alter column xid set default ((pg_current_xact_id()::text::bigint + " + offset
                + ")::text::xid8)";
    }

    /** A session that still holds a position of before is fenced off. */
    static final String TAKE_RELAYS = "update waybill.relay set system_id = ?, epoch = nextval('waybill.epoch')";
}
