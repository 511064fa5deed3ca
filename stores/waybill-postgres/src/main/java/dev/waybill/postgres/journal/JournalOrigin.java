package dev.waybill.postgres.journal;

import java.sql.SQLException;
import java.util.Optional;

/**
 * Whether the rows of a journal were written in this cluster, so that their xids are valid here.
 *
 * @param other the cluster that a position was saved on, if it is another one
 * @param eventsAhead whether there are events whose xid this server has not assigned yet
 * @param upgraded whether positions have another identifier although the schema was not rewritten, as after pg_upgrade
 * @param own the identifier that the relay's position is saved under
 * @param known whether it is recorded that the kept identity and this cluster's identifier belong together
 */
public record JournalOrigin(
        Optional<String> other, boolean eventsAhead, boolean upgraded, Optional<String> own, boolean known) {
    /** The offset that the default of waybill.event.xid adds, which may differ from waybill.xid_offset. */
    public static final String ADDED_BY_DEFAULT = """
            select coalesce((select (regexp_match(pg_get_expr(a.adbin, a.adrelid), '[+] ''?([0-9]+)'))[1]::bigint
              from pg_attrdef a join pg_attribute c on c.attrelid = a.adrelid and c.attnum = a.adnum
             where a.adrelid = to_regclass('waybill.event') and c.attname = 'xid'), 0) as added""";

    /** Signs of another cluster: a position, an event whose xid is not assigned yet, an offset that new events do not get. */
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
                      from (%s) d left join waybill.xid_offset o on o.only_row) w""".formatted(ADDED_BY_DEFAULT);

    private static final String OWN_XIDS = "select transactions, writers, with_own_xid from waybill.own_xids()";

    /** @param relay whose {@link #own} to find; need not exist */
    public static JournalOrigin of(JournalConnection connection, String relay, ServerIdentity identity)
            throws SQLException {
        return connection.one(
                FOREIGN,
                row -> {
                    Optional<String> other = Optional.ofNullable(row.getString("system_id"));
                    boolean upgraded = other.isEmpty() && identity.shown().isPresent() && row.getBoolean("moved");
                    return new JournalOrigin(
                            upgraded && isRewritten(connection) ? Optional.of("that had another identifier") : other,
                            row.getBoolean("events"),
                            upgraded,
                            Optional.ofNullable(row.getString("own")),
                            row.getBoolean("known"));
                },
                relay,
                identity.current(),
                identity.kept());
    }

    /** A restore writes all rows with one xid. After pg_upgrade rows still have the xids of the transactions that appended them. */
    private static boolean isRewritten(JournalConnection connection) throws SQLException {
        return connection.one(OWN_XIDS, row -> {
            boolean writtenByOne = row.getLong("transactions") > 1 && row.getLong("writers") == 1;
            return writtenByOne && row.getLong("with_own_xid") == 0;
        });
    }

    public boolean isForeign() {
        return other.isPresent() || eventsAhead;
    }
}
