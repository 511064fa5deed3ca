package dev.waybill.jdbc.kernel;

/** What a checkup asks about a server of PostgreSQL. */
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
}
