package dev.waybill.postgres;

import java.util.regex.Pattern;

/** What a checkup asks about the journal. Nothing here reads events. */
final class JournalCheckupSql {
    private JournalCheckupSql() {}

    /** An index in the printed DDL. */
    static final Pattern INDEX_MADE = Pattern.compile("create (?:unique )?index (?:if not exists )?(\\w+)");

    /** An index that the DDL makes and a later part of it drops. */
    static final Pattern INDEX_DROPPED = Pattern.compile("drop index waybill\\.(\\w+)");

    static final String INDEXES = """
            select i.relname, x.indisvalid and x.indisready as valid
              from pg_index x join pg_class i on i.oid = x.indexrelid
              join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
             where n.nspname = 'waybill'""";

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
