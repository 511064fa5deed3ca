package dev.waybill.postgres;

/** Statements of the journal that more than one class runs, or that are put together from parts. */
final class PostgresJournalSql {
    private PostgresJournalSql() {}

    /** Looks at the stored size first: only what is compressed must be fetched to tell its length. */
    private static final String PAYLOAD_IS_LARGE = """
            (pg_column_size(e.payload) > 16384
                or (pg_column_compression(e.payload) is not null and octet_length(e.payload::text) > 16384))""";

    /** Their stored size tells little of their text: a number of 27 bytes may have 130,000 digits. Most events have none. */
    private static final String HEADERS_ARE_LARGE =
            "(pg_column_size(e.headers) > 2048 or octet_length(e.headers::text) > 2048)";

    /**
     * What is large is withheld: then the last column has the lengths of payload, headers and content type. So a page is never
     * more than its reader can hold, whatever is in it.
     */
    static final String EVENT_COLUMNS = """
            e.seq, e.id, e.type, e.version, e.aggregate_type, e.aggregate_id, e.aggregate_version, e.topic, e.key,
            case when not %1$s then e.payload end,
            case when octet_length(e.payload_bytes) <= 16384 then e.payload_bytes end,
            case when octet_length(e.content_type) <= 1020 then e.content_type end,
            case when not %2$s then e.headers end,
            e.created_at,
            case when %1$s or octet_length(e.payload_bytes) > 16384 or %2$s or octet_length(e.content_type) > 1020
                 then concat(coalesce(octet_length(e.payload_bytes),
                                      case when pg_column_compression(e.payload) is null then pg_column_size(e.payload)
                                           else octet_length(e.payload::text) end, 0),
                             ',', coalesce(octet_length(e.headers::text), 0),
                             ',', coalesce(octet_length(e.content_type), 0)) end""".formatted(PAYLOAD_IS_LARGE, HEADERS_ARE_LARGE);

    // ---- appending

    // ---- the session's connection

    static final String BACKEND_PID = "select pg_backend_pid()";

    /** What is checked of the database before a relay may read it. */
    static final String INSPECT = """
            select pg_is_in_recovery() as in_recovery,
                   current_setting('server_version_num')::int as version_number,
                   to_regclass('waybill.event') is not null as initialised,
                   (select seqcache from pg_sequence where seqrelid = to_regclass('waybill.event_seq_seq')) as seq_cache,
                   (select x.attnum < s.attnum from pg_attribute x, pg_attribute s
                     where x.attrelid = to_regclass('waybill.event') and s.attrelid = x.attrelid
                       and x.attname = 'xid' and s.attname = 'seq') as xid_before_seq""";

    /** What the default of waybill.event.xid adds: what is in new events, whatever waybill.xid_offset says. */
    static final String ADDED_BY_DEFAULT = """
            select coalesce((select (regexp_match(pg_get_expr(a.adbin, a.adrelid), '[+] ''?([0-9]+)'))[1]::bigint
              from pg_attrdef a join pg_attribute c on c.attrelid = a.adrelid and c.attnum = a.adnum
             where a.adrelid = to_regclass('waybill.event') and c.attname = 'xid'), 0) as added""";

    // ---- position

    // ---- windows

    /** Stands for a sequence that this role may not read; the server would say that nothing was given out. */
    static final long NOT_READABLE = -1;

    /**
     * The last seq that was given out. The function takes the sequence's lock: a plain select of last_value can meet nextval
     * at work and see up to 32 more than it gives out, and it says 1 also when nothing was given out yet.
     */
    static final String LAST_VALUE = """
            case when has_sequence_privilege('waybill.event_seq_seq', 'select, usage')
                 then coalesce(pg_sequence_last_value('waybill.event_seq_seq'), 0) else %d end""".formatted(PostgresJournalSql.NOT_READABLE);

    /**
     * Where the next record begins, but without the header (24 bytes, 40 in a segment's first page) of a page that is still to
     * come: that is flushed no sooner than the next record, and nobody may write one for long.
     */
    private static final String END_OF_WAL = """
            wal.begin - case when wal.begin % pg_size_bytes(current_setting('wal_segment_size')) = 40 then 40
                             when wal.begin % current_setting('wal_block_size')::int = 24 then 24 else 0 end""";

    /**
     * A snapshot to read up to. It is taken when the statement begins, so last_value and the age (which counts from the next
     * xid to be given out) are read after it. The last two columns tell where its commits lie in the log, and how far the log is
     * safe; functions of the log are called only by relays that wait for it, because hosted servers may refuse them.
     */
    private static final String POLL = """
            select pg_current_snapshot()::text,
                   age(pg_snapshot_xmax(pg_current_snapshot())::xid),
                   %s,
                   pg_backend_pid(),
                   pg_current_xact_id_if_assigned() is not null or pg_is_in_recovery()
                       or current_setting('transaction_isolation') <> 'read committed',
                   r.epoch,
                   r.paused,
                   due.at <= ?,
                   case when r.parked_changes = ? then ?
                        else exists (select from waybill.parked p where p.relay = r.name and p.state = 'dead' and p.holds) end,
                   wal.written,
                   wal.safe,
                   due.at,
                   r.parked_changes,
                   (select o.value from waybill.xid_offset o where o.only_row)
              from (%s) wal
              left join waybill.relay r on r.name = ?
              left join lateral (
                select p.next_attempt_at as at from waybill.parked p
                 where p.relay = r.name and p.state = 'due'
                   and p.next_attempt_at >= case when r.parked_changes = ? then ?::timestamptz else '-infinity' end
                 order by p.next_attempt_at limit 1) due on true""";

    private static final String NO_WAL = "select 0::bigint as written, 0::bigint as safe";

    /** Standbys alone: readers of logical slots and base backups are listed too, and neither can be promoted. */
    static final String STANDBYS = """
            (select r.application_name, r.flush_lsn from pg_stat_replication r
              where r.state <> 'backup'
                and not exists (select from pg_replication_slots t where t.active_pid = r.pid and t.slot_type = 'logical'))""";

    /** The parameter is a list of names: the least that each has, or without names the most that any has. */
    private static final String REPLICATED = """
            (select case when cardinality(n.names) = 0
                         then coalesce((select max(s.flush_lsn) from %1$s s), '0/0')
                         else (select min(coalesce((select max(s.flush_lsn) from %1$s s
                                                     where s.application_name = x.name), '0/0'))
                                 from unnest(n.names) x(name)) end
               from (select ?::text[] as names) n)""".formatted(STANDBYS);

    /** For {@link WaitFor.Stage#REPLICA} the names of standbys are the fourth parameter. */
    static String poll(WaitFor.Stage stage) {
        String wal = switch (stage) {
            case COMMIT -> NO_WAL;
            case FLUSH -> wal("pg_current_wal_flush_lsn()");
            case REPLICA -> wal(REPLICATED);
        };
        return POLL.formatted(LAST_VALUE, wal);
    }

    private static String wal(String safe) {
        return """
            select %s as written, (%s - '0/0')::bigint as safe
              from (select (pg_current_wal_insert_lsn() - '0/0')::bigint as begin) wal""".formatted(END_OF_WAL, safe);
    }

    /** How the transaction {@code x.xid} ended, as far as this server can tell: it knows nothing of another cluster's. */
    static final String XACT_STATUS = """
            (select case when n.xid > 0 and n.xid::text::xid8 < pg_snapshot_xmax(pg_current_snapshot())
                         then pg_xact_status(n.xid::text::xid8)
                         when n.xid > 0 then 'in progress' end
               from (select x.xid::text::bigint - o.value as xid from waybill.xid_offset o where o.only_row) n)""";

    /** Fenced: brings nothing under a newer epoch. */
    private static final String FRESH = """
            select %s from waybill.event e
             where (select r.epoch from waybill.relay r where r.name = ?) = ?
               and e.seq > ? and e.seq <= ? and e.xid >= ?::xid8 and e.xid < ?::xid8
               and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
             order by e.seq limit ?""".formatted(EVENT_COLUMNS);

    private static final String LATE = """
            select l.* from unnest(?::xid8[]) x(xid) cross join lateral (
                select %s from waybill.event e where e.xid = x.xid and e.seq > ? and e.seq <= ?
                 order by e.xid, e.seq limit ?) l
             where (select r.epoch from waybill.relay r where r.name = ?) = ?""".formatted(EVENT_COLUMNS);

    /** One page of a window without late transactions, along the primary key. */
    static final String PAGE = FRESH;

    /** One page of a window with late transactions: both kinds, merged by seq. */
    static final String PAGE_WITH_LATE = "(" + FRESH + ")\nunion all\n(" + LATE + ")\norder by seq limit ?";

    // ---- parking

    // Each key is looked up by itself, in a lateral part with a limit, and what is to be changed is collected in an
    // array: the
    // planner is left no join to turn around when the statistics are those of another time.

    /** Nothing of the key goes before this is sent again, or while it is dead and holds its key. */
    private static final String IS_BLOCKER =
            "((b.state = 'dead' and b.holds) or (b.state = 'due' and b.next_attempt_at > '-infinity'))";

    /** Which of these keys have an event that waits or holds them. */
    static final String CLOSED_KEYS = """
            select k.key from unnest(?::uuid[]) k(key) cross join lateral (
                (select from waybill.parked d where d.relay = ? and d.key = k.key and d.state = 'due'
                  order by d.seq limit 1)
                union all
                (select from waybill.parked b where b.relay = ? and b.key = k.key and %s order by b.seq limit 1)
                union all
                (select from waybill.parked w where w.relay = ? and w.key = k.key and w.state = 'waiting'
                  order by w.seq limit 1)
                limit 1) parked""".formatted(IS_BLOCKER);

    /** After an event that is to be retried, or is dead and holds its key, nothing of the key may go. */
    static final String DEMOTE_BLOCKED = """
            update waybill.parked set state = 'waiting', next_attempt_at = null
             where relay = ? and seq = any (array(
                select d.seq from unnest(?::uuid[]) k(key)
                 cross join lateral (
                    select b.seq from waybill.parked b where b.relay = ? and b.key = k.key and %s
                     order by b.seq limit 1) blocker
                 cross join lateral (
                    select d.seq from waybill.parked d
                     where d.relay = ? and d.key = k.key and d.state = 'due' and d.seq > blocker.seq
                     order by d.seq offset 0) d))""".formatted(IS_BLOCKER);

    /**
     * What nothing blocks may go at once. Of a key that has nothing due these are the first thousand; otherwise what comes
     * before the first that is due.
     */
    static final String PROMOTE_UNBLOCKED = """
            update waybill.parked set state = 'due', next_attempt_at = '-infinity'
             where relay = ? and seq = any (array(
                select w.seq from unnest(?::uuid[]) k(key)
                 cross join lateral (
                    select w.seq from waybill.parked w
                     where w.relay = ? and w.key = k.key and w.state = 'waiting'
                       and w.seq < least(9223372036854775807,
                           (select d.seq from waybill.parked d
                             where d.relay = ? and d.key = k.key and d.state = 'due' order by d.seq limit 1),
                           (select b.seq from waybill.parked b
                             where b.relay = ? and b.key = k.key and %s order by b.seq limit 1))
                     order by w.seq limit 1000) w))""".formatted(IS_BLOCKER);
}
