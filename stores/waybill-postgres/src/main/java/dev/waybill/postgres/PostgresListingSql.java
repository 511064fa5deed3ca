package dev.waybill.postgres;

import dev.waybill.admin.EventFilter;

/** How lists of events are put together: conditions, columns, and the parts of each state. */
final class PostgresListingSql {
    private PostgresListingSql() {}

    /** Of columns that a viewer may not read, so they are named only when asked for: see {@link #asked}. */
    private static final String AGGREGATE_ID_MATCHES = "coalesce(e.aggregate_id = ?, true)";

    private static final String KEY_MATCHES =
            "coalesce(coalesce(e.key, e.aggregate_type || ':' || e.aggregate_id) = ?, true)";

    private static final String HIDDEN_COLUMNS = ", e.aggregate_id, e.key";

    /** What {@link #MATCHES} is about. */
    static final String COLUMNS = "e.id, e.type, e.aggregate_type, e.created_at" + HIDDEN_COLUMNS;

    /** Whether an event is one of those that a filter means; its parameters are bound by {@link FilterValues}. */
    static final String MATCHES = """
            coalesce(e.type = ?, true) and coalesce(e.aggregate_type = ?, true)
             and %s and %s
             and coalesce(e.created_at >= ?, true) and coalesce(e.created_at < ?, true)""".formatted(AGGREGATE_ID_MATCHES, KEY_MATCHES);

    /** A statement with {@link #MATCHES}, without the hidden columns that the filter does not ask for. */
    static String asked(String sql, EventFilter filter) {
        String asked = filter.aggregateId().isPresent() ? sql : sql.replace(AGGREGATE_ID_MATCHES, "?::text is null");
        if (filter.key().isEmpty()) {
            asked = asked.replace(KEY_MATCHES, "?::text is null");
        }
        return filter.aggregateId().isEmpty() && filter.key().isEmpty() ? asked.replace(HIDDEN_COLUMNS, "") : asked;
    }

    private static final String SUMMARY = "e.seq, e.id, e.type, e.aggregate_type, e.created_at";

    /** Events within a stretch of seqs: there is no index for a filter, so the stretch is what bounds the work. */
    static final String STRETCH = """
            select %s from waybill.event e
             where e.seq < ? and e.seq >= ? and %s order by e.seq desc limit ?""".formatted(SUMMARY, MATCHES);

    private static final String PASSED = """
            (pg_visible_in_snapshot(e.xid, r.base)
             or (r.target is not null and e.seq <= r.seq and pg_visible_in_snapshot(e.xid, r.target)))""";

    private static final String KNOWN_OTHERWISE = """
            (exists (select from waybill.parked p where p.relay = r.name and p.seq = e.seq)
             or exists (select from waybill.discarded d where d.seq = e.seq and d.relay = r.name))""";

    private static final String STRETCH_OF_RELAY = """
            select %s from waybill.event e join waybill.relay r on r.name = ?
             where e.seq < ? and e.seq >= ? and %s and %%s order by e.seq desc limit ?""".formatted(SUMMARY, MATCHES);

    static final String PUBLISHED = STRETCH_OF_RELAY.formatted(PASSED + " and not " + KNOWN_OTHERWISE);

    static final String PENDING = STRETCH_OF_RELAY.formatted("not " + PASSED + " and not " + KNOWN_OTHERWISE);

    /** Whoever is parked or was discarded is in a table of its own, read along its index. */
    private static final String ASIDE = """
            select p.seq, e.id, e.type, e.aggregate_type, e.created_at, e.id is not null and %s
              from (%%s) p left join waybill.event e on e.seq = p.seq
             order by p.seq desc""".formatted(MATCHES);

    static final String DEAD = ASIDE.formatted("""
            select seq from waybill.parked where relay = ? and state = 'dead' and seq < ? and seq >= ?
             order by seq desc limit ?""");

    static final String PARKED = ASIDE.formatted("""
            with q as materialized (select ?::text as relay, ?::bigint as below, ?::bigint as lowest, ?::int as most)
            select u.seq from q cross join lateral (
                (select seq from waybill.parked where relay = q.relay and lower(state) = 'due'
                    and seq < q.below and seq >= q.lowest order by seq desc limit q.most)
                union all
                (select seq from waybill.parked where relay = q.relay and lower(state) = 'waiting'
                    and seq < q.below and seq >= q.lowest order by seq desc limit q.most)) u
             order by u.seq desc limit (select most from q)""");

    static final String DISCARDED = ASIDE.formatted("""
            select seq from waybill.discarded where relay = ? and seq < ? and seq >= ? order by seq desc limit ?""");

    /** Each lateral part has a limit, so that it is looked up for each seq; joined, the planner may walk the whole table. */
    static final String STANDINGS = """
            select e.seq, r.name, %s, p.state, coalesce(p.attempts, d.attempts, 0), coalesce(p.error, d.note),
                   d.seq is not null
              from unnest(?::bigint[]) s (seq)
             cross join lateral (select e.seq, e.xid from waybill.event e where e.seq = s.seq limit 1) e
             cross join waybill.relay r
              left join lateral (select p.state, p.attempts, p.error from waybill.parked p
                                  where p.relay = r.name and p.seq = e.seq limit 1) p on true
              left join lateral (select d.seq, d.attempts, d.note from waybill.discarded d
                                  where d.seq = e.seq and d.relay = r.name limit 1) d on true
             where ?::text is null or r.name = ? order by e.seq, r.name""".formatted(PASSED);
}
