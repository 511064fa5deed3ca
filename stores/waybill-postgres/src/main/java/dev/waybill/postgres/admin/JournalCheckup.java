package dev.waybill.postgres.admin;

import dev.waybill.admin.Finding;
import dev.waybill.admin.LeasesAhead;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.PostgresCheckup;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.postgres.journal.Migrations;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Checks a journal and its server. */
record JournalCheckup(Examination examination, JournalSettings settings) {
    /** An index in the printed DDL. */
    private static final Pattern INDEX_CREATED = Pattern.compile("create (?:unique )?index (?:if not exists )?(\\w+)");

    /** An index that a later part of the DDL drops. */
    private static final Pattern INDEX_DROPPED = Pattern.compile("drop index waybill\\.(\\w+)");

    /** Reads only catalogs that every role may read: to_regclass fails without USAGE. */
    private static final String SCHEMA = """
            select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                            where n.nspname = 'waybill' and c.relname = 'event') as initialised,
                   exists (select from pg_namespace n
                            where n.nspname = 'waybill' and has_schema_privilege(n.oid, 'usage')) as usable,
                   quote_ident(current_user) as role""";

    private static final String INDEXES = """
            select i.relname, x.indisvalid and x.indisready as valid
              from pg_index x join pg_class i on i.oid = x.indexrelid
              join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
             where n.nspname = 'waybill'""";

    private static final String SEQUENCE = """
            select seqcache, seqincrement, seqcycle, seqmax,
                   (select last_value from waybill.event_seq_seq) as last_value
              from pg_sequence where seqrelid = to_regclass('waybill.event_seq_seq')""";

    /** Roles that may set seq, xid or created_at: then an event may be skipped or published out of order. */
    private static final String TOO_MUCH_GRANTED = """
            select string_agg(distinct coalesce(r.rolname, 'public'), ', ') from (
                select a.grantee from pg_class c, aclexplode(c.relacl) a
                 where c.oid = to_regclass('waybill.event') and a.privilege_type in ('INSERT', 'UPDATE')
                   and a.grantee <> c.relowner
                union
                select a.grantee from pg_attribute t join pg_class c on c.oid = t.attrelid, aclexplode(t.attacl) a
                 where c.oid = to_regclass('waybill.event') and t.attname in ('seq', 'xid', 'created_at')
                   and a.privilege_type in ('INSERT', 'UPDATE') and a.grantee <> c.relowner) g
              left join pg_roles r on r.oid = g.grantee""";

    /** Privileges that relays need and this role lacks. */
    private static final String MISSING_GRANTS = """
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
                       ('waybill.discarded', 'delete'), ('waybill.open_window', 'select'),
                       ('waybill.open_window', 'insert'), ('waybill.open_window', 'update'), ('waybill.open_window', 'delete')) p (relation, privilege)
             where not has_table_privilege(p.relation, p.privilege)""";

    private static final String LEASES_AHEAD = """
            select string_agg(l.relay || ' in ' || round(extract(epoch from l.lease_until - clock_timestamp())) || ' s', ', ')
              from waybill.lease l
             where l.owner is not null and l.lease_until > clock_timestamp() + ? * interval '1 millisecond'""";

    private static final List<String> INDEXES_OF_KEYS =
            List.of("event_pkey", "event_id_key", "relay_pkey", "lease_pkey", "parked_pkey");

    static List<Finding> of(DataSource dataSource, Duration patience, JournalSettings settings) {
        return Examination.of(dataSource, examination -> {
            new PostgresCheckup(examination, patience).lookAtServer();
            new JournalCheckup(examination, settings).checkJournal(patience);
        });
    }

    private void checkJournal(Duration patience) throws SQLException {
        Optional<Finding> unusable = examination.one(SCHEMA, JournalCheckup::unusable);
        if (unusable.isPresent()) {
            examination.look("schema", unusable::get);
            return;
        }
        examination.look("schema", () -> schema(Migrations.version(examination)));
        examination.look("grants", () -> examination.one(MISSING_GRANTS, JournalCheckup::missing));
        examination.look("locks", () -> JournalConnection.LOCK_HOLDERS.examine(examination, patience));
        examination.look("producers", () -> examination.one(TOO_MUCH_GRANTED, JournalCheckup::producers));
        examination.look("indexes", this::indexes);
        examination.look("order", () -> examination.one(JournalInspection.INSPECT, JournalCheckup::order));
        examination.look("numbers", () -> examination.one(SEQUENCE, JournalCheckup::numbers));
        examination.lookFor(
                "leases",
                () -> examination
                        .first(LEASES_AHEAD, row -> row.getString(1), LeasesAhead.FAR.toMillis())
                        .map(LeasesAhead::finding));
        new OriginCheckup(examination, settings).look();
    }

    private static Optional<Finding> unusable(ResultSet row) throws SQLException {
        if (!row.getBoolean("initialised")) {
            return Optional.of(Finding.problem(
                    "schema",
                    "there is no schema waybill with a journal in this database",
                    "Run waybill init as the owner of the database, and grant this role what it needs."));
        }
        if (!row.getBoolean("usable")) {
            return Optional.of(Finding.problem(
                    "schema",
                    "this role has no USAGE on the schema waybill, so the other checks of it could not be made",
                    "Run waybill init as the owner of the schema, with --relay " + row.getString("role")
                            + " if relays run as this role, or with --viewer or --operator if people use it."));
        }
        return Optional.empty();
    }

    private static Finding schema(int version) {
        int newest = Migrations.newestVersion();
        String what = "version " + version + ", this Waybill knows " + newest;
        if (version == newest) {
            return Finding.fine("schema", "version " + version + ", up to date");
        }
        return version < newest
                ? Finding.problem("schema", what, "Run waybill init as the owner of the schema to upgrade it.")
                : Finding.problem("schema", what, "Use a Waybill at least as new as the one that created the schema.");
    }

    private static Finding missing(ResultSet row) throws SQLException {
        @Nullable String missing = row.getString(1);
        return missing == null
                ? Finding.fine("grants", "this role may run relays")
                : Finding.warning(
                        "grants",
                        "this role may not " + missing,
                        "A viewer needs no more. If relays run as this role, run waybill init --relay with its name.");
    }

    private static Finding producers(ResultSet row) throws SQLException {
        @Nullable String roles = row.getString(1);
        return roles == null
                ? Finding.fine("producers", "only the owner can set seq, xid or created_at")
                : Finding.warning(
                        "producers",
                        roles + " may set seq, xid or created_at: a mistake there loses events or their order",
                        "Revoke insert and update on waybill.event, then waybill init --producer with the role.");
    }

    private Finding indexes() throws SQLException {
        Map<String, Boolean> existing = new HashMap<>();
        examination.each(INDEXES, row -> existing.put(row.getString(1), row.getBoolean(2)));
        List<String> missing = new ArrayList<>();
        List<String> invalid = new ArrayList<>();
        for (String index : expectedIndexes()) {
            @Nullable Boolean valid = existing.get(index);
            if (valid == null) {
                missing.add(index);
            } else if (!valid) {
                invalid.add(index);
            }
        }
        if (missing.isEmpty() && invalid.isEmpty()) {
            return Finding.fine("indexes", "all " + expectedIndexes().size() + " exist and are valid");
        }
        String what = (missing.isEmpty() ? "" : "missing: " + String.join(", ", missing) + "; ")
                + (invalid.isEmpty() ? "" : "invalid: " + String.join(", ", invalid) + "; ")
                + "relays and this tool may read whole tables";
        return Finding.problem(
                "indexes",
                what,
                "Create missing ones as waybill init --print shows them; rebuild invalid ones with reindex index"
                        + " concurrently.");
    }

    private static List<String> expectedIndexes() {
        List<String> expected = new ArrayList<>(INDEXES_OF_KEYS);
        Matcher index = INDEX_CREATED.matcher(Migrations.script());
        while (index.find()) {
            expected.add(index.group(1));
        }
        Matcher dropped = INDEX_DROPPED.matcher(Migrations.script());
        while (dropped.find()) {
            expected.remove(dropped.group(1));
        }
        return expected;
    }

    private static Finding order(ResultSet row) throws SQLException {
        return row.getBoolean("xid_before_seq")
                ? Finding.fine(
                        "order",
                        "events are ordered by seq: an event appended after another's commit was visible comes after it")
                : Finding.problem(
                        "order",
                        "the column xid of waybill.event comes after seq, so an event could get its seq before its xid",
                        "Create the table as waybill init --print shows it; relays refuse this one.");
    }

    private static Finding numbers(ResultSet row) throws SQLException {
        if (row.getLong("seqcache") != 1 || row.getLong("seqincrement") != 1 || row.getBoolean("seqcycle")) {
            return Finding.problem(
                    "numbers",
                    "waybill.event_seq_seq has cache " + row.getLong("seqcache") + " and increment "
                            + row.getLong("seqincrement") + ": seqs do not follow the order of appending",
                    "Once no writer is connected: alter sequence waybill.event_seq_seq cache 1 increment 1 no cycle.");
        }
        return Finding.fine("numbers", "the sequence has cache 1");
    }
}
