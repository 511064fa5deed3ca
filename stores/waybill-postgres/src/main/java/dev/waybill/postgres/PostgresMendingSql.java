package dev.waybill.postgres;

import dev.waybill.admin.ParkedState;

/** The statements of {@link JournalMending}. */
final class PostgresMendingSql {
    private PostgresMendingSql() {}

    static final String BY_ID = """
            select p.seq, p.state, p.holds from unnest(?::uuid[]) i(id)
             cross join lateral (select e.seq from waybill.event e where e.id = i.id limit 1) e
             cross join lateral (select p.seq, p.state, p.holds from waybill.parked p
                                  where p.relay = ? and p.seq = e.seq limit 1) p""";

    /** The state is written out, because each has an index of its own. */
    static String matching(ParkedState state) {
        return """
            select p.seq, p.state, p.holds, e.id is not null and %s and position(? in coalesce(p.error, '')) > 0
              from (select * from waybill.parked p
                     where p.relay = ? and %s and p.seq > ? order by p.seq limit ?) p
              left join lateral (select %s from waybill.event e where e.seq = p.seq limit 1) e on true
             order by p.seq""".formatted(PostgresListingSql.MATCHES, PostgresAdminSql.isIn(state), PostgresListingSql.COLUMNS);
    }

    static final String REQUEUE = "select waybill.requeue(?, ?, ?, ?, ?, ?)";

    static final String DISCARD = "select waybill.discard(?, ?, ?, ?, ?, ?)";

    /** A part of what closes keys, through indexes without the other dead. */
    static final String FIND_GONE = """
            select p.seq, e.seq is null
              from ((select d.seq from waybill.parked d where d.relay = ? and lower(d.state) = 'due' and d.seq > ?
                      order by d.seq limit ?)
                    union all
                    (select h.seq from waybill.parked h where h.relay = ? and h.state = 'dead' and h.holds and h.seq > ?
                      order by h.seq limit ?)
                    order by seq limit ?) p
              left join lateral (select e.seq from waybill.event e where e.seq = p.seq limit 1) e on true""";

    static final String FIND_GONE_DEAD = """
            select p.seq, e.seq is null
              from (select d.seq from waybill.parked d where d.relay = ? and d.state = 'dead' and not d.holds and d.seq > ?
                     order by d.seq limit ?) p
              left join lateral (select e.seq from waybill.event e where e.seq = p.seq limit 1) e on true""";

    static final String DROP_GONE = """
            delete from waybill.parked p where p.relay = ? and p.seq = any (?)
               and (select e.seq from waybill.event e where e.seq = p.seq) is null
            returning p.key""";
}
