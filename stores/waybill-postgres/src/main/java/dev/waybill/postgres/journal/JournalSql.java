package dev.waybill.postgres.journal;

/** Parts of statements that both relays and administration run. */
public final class JournalSql {
    private JournalSql() {}

    /** Status of transaction {@code x.xid}; null if this server cannot know it, as for a transaction of another cluster. */
    public static final String XACT_STATUS = """
            (select case when n.xid > 0 and n.xid::text::xid8 < pg_snapshot_xmax(pg_current_snapshot())
                         then pg_xact_status(n.xid::text::xid8)
                         when n.xid > 0 then 'in progress' end
               from (select x.xid::text::bigint - o.value as xid from waybill.xid_offset o where o.only_row) n)""";

    /** The part of {@link #REPLAY_MATCHES} on a column that a viewer may not read. */
    public static final String REPLAY_AGGREGATE_ID_MATCHES =
            "(q.aggregate_id is null or e.aggregate_id = q.aggregate_id)";

    /** Whether the filter of replay {@code q} matches event {@code e}. */
    public static final String REPLAY_MATCHES = """
            (e.created_at >= q.created_from and e.created_at < q.created_until
                 and (q.type is null or e.type = q.type)
                 and (q.aggregate_type is null or e.aggregate_type = q.aggregate_type)
                 and %s)""".formatted(REPLAY_AGGREGATE_ID_MATCHES);
}
