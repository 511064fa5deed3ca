package dev.waybill.jdbc;

import java.util.regex.Pattern;

/** What a checkup asks PostgreSQL, about the server and about the journal. Nothing here reads events. */
final class PostgresCheckupSql {
    private PostgresCheckupSql() {}

    static final String SERVER = """
            select current_setting('server_version') as version,
                   current_setting('server_version_num')::int as version_number,
                   pg_is_in_recovery() as in_recovery,
                   current_user as role, current_database() as database,
                   coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted,
                   (select version from pg_stat_ssl where pid = pg_backend_pid()) as protocol,
                   coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as on_this_machine,
                   current_setting('fsync')::boolean and current_setting('full_page_writes')::boolean as survives_crashes,
                   extract(epoch from clock_timestamp()) as clock""";

    /** Of the database and the server; roles may have their own. */
    static final String SYNCHRONOUS_COMMIT = """
            select coalesce((select split_part(c, '=', 2) from pg_db_role_setting s, unnest(s.setconfig) c
                              where s.setdatabase = (select oid from pg_database where datname = current_database())
                                and s.setrole = 0 and c like 'synchronous_commit=%'),
                            (select reset_val from pg_settings where name = 'synchronous_commit'))""";

    /** The oldest of what keeps dead rows from being cleared away: sessions, prepared transactions, slots, standbys. */
    static final String HORIZON = """
            select h.kind, h.who, h.xids, extract(epoch from clock_timestamp() - h.since) as seconds from (
                select 'session' as kind,
                       format('process %s of %s (%s) in database %s, %s', pid, usename,
                              coalesce(nullif(application_name, ''), 'without a name'), datname, state) as who,
                       greatest(age(backend_xmin), age(backend_xid)) as xids, xact_start as since
                  from pg_stat_activity
                 where (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid()
                   and backend_type = 'client backend'
                union all
                select 'prepared', format('prepared transaction %s of %s in database %s', gid, owner, database),
                       age(transaction), prepared
                  from pg_prepared_xacts
                union all
                select 'slot', format('replication slot %s', slot_name), greatest(age(xmin), age(catalog_xmin)), null
                  from pg_replication_slots where xmin is not null or catalog_xmin is not null
                union all
                select 'standby', format('standby %s, which feeds its oldest query back', application_name),
                       age(backend_xmin), null
                  from pg_stat_replication where backend_xmin is not null) h
             order by h.xids desc nulls last, h.since limit 1""";

    static final String SEES_ALL_SESSIONS = "select pg_has_role(current_user, 'pg_read_all_stats', 'usage')";

    /** An index in the printed DDL. */
    static final Pattern INDEX_MADE = Pattern.compile("create (?:unique )?index (?:if not exists )?(\\w+)");

    /** An index that the DDL makes and a later part of it drops. */
    static final Pattern INDEX_DROPPED = Pattern.compile("drop index waybill\\.(\\w+)");

    static final String INDEXES = """
            select i.relname, x.indisvalid and x.indisready as valid
              from pg_index x join pg_class i on i.oid = x.indexrelid
              join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
             where n.nspname = 'waybill'""";

    /** Of an outbox table, by its name as it stands in a statement. */
    static final String INVALID_INDEXES = """
            select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
             where x.indrelid = to_regclass(?) and not (x.indisvalid and x.indisready)""";

    static final String SEQUENCE = """
            select seqcache, seqincrement, seqcycle, seqmax,
                   (select last_value from waybill.event_seq_seq) as last_value
              from pg_sequence where seqrelid = to_regclass('waybill.event_seq_seq')""";

    /** Roles that may give seq, xid or created_at themselves: then an event can be skipped or come out of order. */
    static final String TOO_MUCH_GRANTED = """
            select string_agg(distinct coalesce(r.rolname, 'public'), ', ') from (
                select a.grantee from pg_class c, aclexplode(c.relacl) a
                 where c.oid = to_regclass('waybill.event') and a.privilege_type in ('INSERT', 'UPDATE')
                   and a.grantee <> c.relowner
                union
                select a.grantee from pg_attribute t join pg_class c on c.oid = t.attrelid, aclexplode(t.attacl) a
                 where c.oid = to_regclass('waybill.event') and t.attname in ('seq', 'xid', 'created_at')
                   and a.privilege_type in ('INSERT', 'UPDATE') and a.grantee <> c.relowner) g
              left join pg_roles r on r.oid = g.grantee""";

    /** What a relay needs and this role lacks. */
    static final String MISSING_GRANTS = """
            select string_agg(p.privilege || ' on ' || p.relation, ', ') from (
                values ('waybill.event', 'select'), ('waybill.event', 'delete'), ('waybill.relay', 'select'),
                       ('waybill.relay', 'insert'), ('waybill.relay', 'update'), ('waybill.lease', 'select'),
                       ('waybill.lease', 'insert'), ('waybill.lease', 'update'), ('waybill.dropped', 'select'),
                       ('waybill.parked', 'select'),
                       ('waybill.parked', 'insert'), ('waybill.parked', 'update'), ('waybill.parked', 'delete'),
                       ('waybill.window_log', 'insert'), ('waybill.window_log', 'delete'), ('waybill.replay', 'select'),
                       ('waybill.replay', 'update'), ('waybill.discarded', 'select'), ('waybill.identity', 'select'), ('waybill.xid_offset', 'select'),
                       ('waybill.cluster', 'select'),
                       ('waybill.cluster', 'insert'), ('waybill.environment', 'select'), ('waybill.environment', 'insert'),
                       ('waybill.discarded', 'delete')) p (relation, privilege)
             where not has_table_privilege(p.relation, p.privilege)""";

    static final String FOREIGN_RELAYS = """
            select string_agg(r.name, ', ') from waybill.relay r, (select ?::text as current, ?::text as kept) w
             where r.system_id not in (w.current, w.kept)
               and not exists (select from waybill.cluster c where c.system_id = r.system_id and c.kept = w.kept)""";
}
