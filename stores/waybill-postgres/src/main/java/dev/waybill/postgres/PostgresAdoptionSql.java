package dev.waybill.postgres;

/** The statements that make a journal from another cluster this one's own. */
final class PostgresAdoptionSql {
    private PostgresAdoptionSql() {}

    /** Producers wait while it is waited for. */
    static final String SHORT_LOCK_TIMEOUT = "set local lock_timeout = '3s'";

    /** Waits for every transaction that has appended: what is in the table afterwards is committed. */
    static final String LOCK_EVENTS = "lock table waybill.event in access exclusive mode";

    /** So many events are looked at to find the xid that a restore wrote them with. */
    private static final int SAMPLE = 10_000;

    /** The xid that wrote the row {@code %s}, with the bits that rows leave out; it is not newer than this transaction's. */
    private static final String WRITTEN_BY = "(w.now - ((w.now - %s.xmin::text::bigint) & 4294967295))";

    /**
     * What the default has added until now; the highest number that anything here speaks of; the newest xid that is known to have
     * restored something; this transaction's own; and the highest seq that a relay knows of.
     *
     * <p>Whatever a relay had seen was restored, and rows of several transactions that one transaction wrote were too.
     */
    static final String STANDING =
            """
            select w.added,
                   greatest(w.added,
                            (select e.xid::text::bigint from waybill.event e order by e.xid desc, e.seq desc limit 1),
                            (select max(o.value) from waybill.xid_offset o),
                            (select max(greatest(r.base_next::text::bigint, pg_snapshot_xmax(r.base)::text::bigint,
                                                 r.target_next::text::bigint, pg_snapshot_xmax(r.target)::text::bigint))
                               from waybill.relay r)),
                   greatest(
                       (select min(%1$s) from (
                            select i.xmin from waybill.identity i union all select v.xmin from waybill.schema_version v) x),
                       (select max(%1$s) from (
                            select e.xmin from waybill.event e where e.seq <= w.known order by e.seq desc limit %2$d) x),
                       (select max(%1$s) from (
                            select y.xmin from (select e.xmin::text as xmin, e.xid from waybill.event e where e.seq > w.known
                                                 order by e.seq limit %2$d) y
                             group by y.xmin having count(distinct y.xid::text) > 1) x)),
                   w.now, w.known
              from (select d.added, pg_current_xact_id()::text::bigint as now,
                           (select coalesce(max(greatest(r.base_floor, r.target_floor, r.high, r.seq)), 0)
                              from waybill.relay r) as known
                      from (%3$s) d) w""".formatted(WRITTEN_BY.formatted("x"), SAMPLE, PostgresJournalSql.ADDED_BY_DEFAULT);

    /**
     * Events that were appended here, after the restore and before the adoption. Their row bears their own xid, or a later one
     * when it was written in a subtransaction; a restored row bears that of the restore.
     */
    static final String MOVE_OWN_EVENTS = """
            update waybill.event e
               set xid = (e.xid::text::bigint - w.added + w.added_now)::text::xid8
              from (select ?::bigint as added, ?::bigint as added_now, ?::bigint as now, ?::bigint as known) w
             where e.xid > ?::xid8 and e.xid < ?::xid8 and e.seq > w.known
               and e.xid::text::bigint - w.added <= %s""".formatted(WRITTEN_BY.formatted("e"));

    static final String SET_OFFSET = """
            insert into waybill.xid_offset (value, adopted_xid) values (?, ?)
            on conflict (only_row) do update set value = excluded.value, adopted_xid = excluded.adopted_xid""";

    static String addToNewXids(long offset) {
        return "alter table waybill.event alter column xid set default ((pg_current_xact_id()::text::bigint + " + offset
                + ")::text::xid8)";
    }

    /** A session that still holds a position of before is fenced off. */
    static final String TAKE_RELAYS = "update waybill.relay set system_id = ?, epoch = nextval('waybill.epoch')";
}
