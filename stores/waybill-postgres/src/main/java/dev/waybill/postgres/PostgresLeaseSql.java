package dev.waybill.postgres;

/**
 * The statements of leases. Whoever needs both rows locks the relay's first, then the lease's: so nobody who waits for a save
 * or a change to end keeps a lease from being renewed.
 */
final class PostgresLeaseSql {
    private PostgresLeaseSql() {}

    /** Whether the lease {@code l} may be taken by an owner. */
    private static final String IS_FREE = "(l.owner is null or l.owner = ? or l.lease_until < clock_timestamp())";

    static final String FIND_RELAY = """
            select r.name is not null as known, l.relay is not null as has_lease, q.relay is not null as replay, d.at, d.who, d.why
              from (select ?::text as name) x
              left join waybill.relay r on r.name = x.name
              left join waybill.lease l on l.relay = x.name
              left join waybill.replay q on q.relay = x.name
              left join waybill.dropped d on d.relay = x.name""";

    /** The relay, its position and its lease at once: a crash leaves all or nothing. */
    static final String CREATE_RELAY = """
            with made as (
                insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)
                select x.name, ?, ?::pg_snapshot, ?::xid8, ?, 0 from (select ?::text as name) x
                 where not exists (select from waybill.dropped d where d.relay = x.name)
                on conflict (name) do nothing returning name)
            insert into waybill.lease (relay) select name from made""";

    /** For a relay whose row was written by other means, such as a restore of some tables. */
    static final String ADD_LEASE = "insert into waybill.lease (relay) values (?) on conflict (relay) do nothing";

    /** Those who stand by ask often. */
    static final String FIND_FREE = """
            select from waybill.relay r
             where r.name = ? and r.system_id = ?
               and exists (select from waybill.lease l where l.relay = r.name and %s)""".formatted(IS_FREE);

    /** Locks nothing while another owner holds the lease. */
    static final String LOCK_IF_FREE = FIND_FREE + " for no key update of r";

    static final String ACQUIRE = """
            with taken as (
                update waybill.lease l
                   set owner = ?, epoch = nextval('waybill.epoch'),
                       lease_until = clock_timestamp() + ? * interval '1 millisecond'
                 where l.relay = ? and %s returning l.relay, l.epoch)
            update waybill.relay r set epoch = t.epoch from taken t where r.name = t.relay
            returning r.epoch, r.base::text, r.base_next::text, r.base_floor, r.target::text, r.target_next::text,
                      r.target_floor, r.high, r.seq""".formatted(IS_FREE);

    /** Waits for nobody: many leases are renewed over one connection. */
    static final String RENEW = """
            update waybill.lease set lease_until = clock_timestamp() + ? * interval '1 millisecond'
             where relay = (select l.relay from waybill.lease l
                             where l.relay = ? and l.epoch = ? and l.owner is not null for no key update nowait)""";

    static final String RELEASE =
            "update waybill.lease set owner = null, lease_until = clock_timestamp() where relay = ? and epoch = ?";

    // ---- for a person

    static final String DROP = "select was_dropped, run_by, run_until from waybill.drop_relay(?, ?, ?)";

    static final String RESTORE = "select waybill.restore_relay(?, ?, ?)";

    static final String LIVE_RELAYS =
            "select string_agg(relay, ', ') from waybill.lease where lease_until > clock_timestamp()";
}
