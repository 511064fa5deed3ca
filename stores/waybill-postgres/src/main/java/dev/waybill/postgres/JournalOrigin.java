package dev.waybill.postgres;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether what a journal holds was written in this cluster, where its xids mean what they say.
 *
 * @param other the cluster that a position was saved on, if it is another one
 * @param eventsAhead whether there are events whose xid this server has not given out yet
 * @param upgraded whether positions have another identifier although the schema was not written anew, as after pg_upgrade
 * @param own what the asking relay's position is saved under
 * @param known whether the identity kept in the schema was seen with this cluster's identifier before
 */
record JournalOrigin(
        Optional<String> other, boolean eventsAhead, boolean upgraded, Optional<String> own, boolean known) {
    /**
     * What came from another cluster and was not adopted: a relay's position, an event whose xid this server has not given out
     * yet, or an offset that new events are not written with.
     */
    private static final String FOREIGN = """
            select (select r.system_id from waybill.relay r
                     where r.system_id not in (w.current, w.kept)
                       and not exists (select from waybill.cluster c where c.system_id = r.system_id and c.kept = w.kept)
                     limit 1) as system_id,
                   exists (select from waybill.relay r where r.system_id not in (w.current, w.kept)) as moved,
                   (select r.system_id from waybill.relay r where r.name = ?) as own,
                   exists (select from waybill.cluster c where c.system_id = w.current and c.kept = w.kept) as known,
                   exists (select from waybill.event e where e.xid >= w.next) or w.added <> w.offset_now as events
              from (select ?::text as current, ?::text as kept,
                           (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + o.value)::text::xid8 as next,
                           coalesce(o.value, -1) as offset_now, d.added
                      from (%s) d left join waybill.xid_offset o on o.only_row) w""".formatted(PostgresJournalSql.ADDED_BY_DEFAULT);

    private static final String OWN_XIDS = "select transactions, writers, with_own_xid from waybill.own_xids()";

    /** @param relay who asks; may be a name that no relay has */
    static JournalOrigin of(JournalConnection connection, String relay, ServerIdentity identity) throws SQLException {
        return connection.one(
                FOREIGN,
                row -> {
                    Optional<String> other = Optional.ofNullable(row.getString("system_id"));
                    boolean upgraded = other.isEmpty() && identity.shown().isPresent() && row.getBoolean("moved");
                    return new JournalOrigin(
                            upgraded && isWrittenAnew(connection) ? Optional.of("that had another identifier") : other,
                            row.getBoolean("events"),
                            upgraded,
                            Optional.ofNullable(row.getString("own")),
                            row.getBoolean("known"));
                },
                relay,
                identity.current(),
                identity.kept());
    }

    /**
     * After pg_upgrade an event's row still bears the xid that its column tells, or those of several subtransactions; a restore
     * gives all rows its own.
     */
    private static boolean isWrittenAnew(JournalConnection connection) throws SQLException {
        return connection.one(OWN_XIDS, row -> {
            boolean writtenByOne = row.getLong("transactions") > 1 && row.getLong("writers") == 1;
            return writtenByOne && row.getLong("with_own_xid") == 0;
        });
    }

    boolean isForeign() {
        return other.isPresent() || eventsAhead;
    }
}
