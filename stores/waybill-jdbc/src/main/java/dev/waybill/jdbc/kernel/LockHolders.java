package dev.waybill.jdbc.kernel;

import dev.waybill.admin.Finding;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sessions of PostgreSQL that keep tables of relays locked. They are named by process, application, user and state, never by their
 * statements, which may contain data.
 *
 * @param own tables that only relays and operators write
 * @param shared tables that applications write too: a lock as of an insert or update of their rows is usual
 */
public record LockHolders(List<String> own, List<String> shared) {
    /** A transaction of a relay or an operator is shorter. */
    private static final Duration USUAL = Duration.ofSeconds(5);

    private static final String SEES_ALL_SESSIONS = "select pg_has_role(current_user, 'pg_read_all_stats', 'usage')";

    /**
     * Sessions that others have been waiting for, and those whose transaction holds a lock for long; the oldest first. Roles without
     * pg_read_all_stats see who waits for whom, and the application of every session, but no state and no age: to them, a lock that
     * nothing of Waybill takes counts as held for long.
     */
    private static final String FIND = """
            with wanted as (
                select to_regclass(t.name)::oid as relation, t.name, t.shared
                  from (select unnest(string_to_array(?, e'\n')) as name, false as shared
                        union all select unnest(string_to_array(?, e'\n')), true) t),
            held as (
                select l.pid, l.granted, l.mode, l.waitstart, w.name, w.shared
                  from wanted w join pg_locks l on l.relation = w.relation
                 where l.database = (select oid from pg_database where datname = current_database())),
            waiting as (
                select distinct l.pid from pg_locks l
                 where not l.granted and l.waitstart <= clock_timestamp() - ? * interval '1 millisecond'
                   and l.pid in (select pid from held)),
            holding as (
                select b.pid, true as waited_for, false as foreign_lock, null as name from waiting, unnest(pg_blocking_pids(waiting.pid)) b(pid)
                union all
                select h.pid, false, h.mode in ('ExclusiveLock', 'AccessExclusiveLock'), h.name from held h
                 where h.granted and h.mode not in ('AccessShareLock', 'ShareUpdateExclusiveLock')
                   and not (h.shared and h.mode = 'RowExclusiveLock'))
            select a.pid, format('process %s of %s (%s)', a.pid, a.usename,
                         coalesce(nullif(a.application_name, ''), 'without a name'))
                   || coalesce(', ' || a.state, '')
                   || coalesce(', in a transaction for ' || round(extract(epoch from clock_timestamp() - a.xact_start)) || ' s', '')
                   || coalesce(', with locks on ' || string_agg(distinct h.name, ', '), '') as who
              from holding h join pg_stat_activity a on a.pid = h.pid
             where a.pid <> pg_backend_pid() and a.pid not in (select pid from waiting)
               and coalesce(a.backend_type, 'client backend') = 'client backend'
             group by a.pid, a.usename, a.application_name, a.state, a.xact_start
            having bool_or(h.waited_for) or coalesce(a.xact_start <= clock_timestamp() - ? * interval '1 millisecond',
                                                      ? or bool_or(h.foreign_lock))
             order by a.xact_start nulls last, a.pid limit 5""";

    private record Holder(int pid, String who) {}

    /** Also those with a lock as of an insert or update, for a connection that updates rows of applications. */
    public LockHolders withWriters() {
        return new LockHolders(Stream.concat(own.stream(), shared.stream()).toList(), List.of());
    }

    /**
     * @param longerThan how long others must have waited, or the lock must have been held
     * @param unknown whether sessions count whose age this role may not see
     */
    private List<Holder> find(Statements statements, Duration longerThan, boolean unknown) throws SQLException {
        long millis = longerThan.toMillis();
        return statements.query(
                FIND,
                row -> new Holder(row.getInt(1), row.getString(2)),
                String.join("\n", own),
                String.join("\n", shared),
                millis,
                millis,
                unknown);
    }

    /** After a lock was not available: the sessions that may hold it, and what to do; empty if none is left. */
    String afterTimeout(Statements statements) throws SQLException {
        List<Holder> holders = find(statements, Duration.ZERO, true);
        return holders.isEmpty() ? "" : "Locked by " + who(holders) + ": " + end(holders);
    }

    /** @param patience how long a lock may be held without a finding */
    public Finding examine(Statements statements, Duration patience) throws SQLException {
        Duration limit = patience.compareTo(USUAL) < 0 ? patience : USUAL;
        List<Holder> holders = find(statements, limit, false);
        boolean seesAll = statements.one(SEES_ALL_SESSIONS, row -> row.getBoolean(1));
        if (holders.isEmpty()) {
            return seesAll
                    ? Finding.fine(Finding.LOCKS, "no session keeps a table of relays locked")
                    : Finding.warning(
                            Finding.LOCKS,
                            "cannot be told fully: no session waits for a lock on a table of relays, but how long the others"
                                    + " have held theirs is hidden from this role",
                            "Grant it pg_read_all_stats.");
        }
        return Finding.problem(
                Finding.LOCKS,
                "relays wait, or will, for " + who(holders),
                "Their transactions must end before relays go on: " + end(holders) + "."
                        + (seesAll ? "" : " Grant this role pg_read_all_stats to see what they are doing."));
    }

    private static String who(List<Holder> holders) {
        return holders.stream().map(Holder::who).collect(Collectors.joining("; "));
    }

    private static String end(List<Holder> holders) {
        return "commit or roll back there, or run "
                + holders.stream()
                        .map(holder -> "select pg_terminate_backend(" + holder.pid + ")")
                        .collect(Collectors.joining("; "));
    }
}
