package dev.waybill.bench.systems;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a system and the database have used up so far.
 *
 * @param system CPU time of the system's process
 * @param database CPU time of all processes of PostgreSQL, ended ones too
 * @param wal bytes of write-ahead log
 * @param deadTuples row versions that updates and deletes left behind; vacuumed or not
 */
record Spent(Duration system, Duration database, long wal, long deadTuples) {
    private static final String SERVER = """
            select pg_current_wal_insert_lsn() - '0/0'::pg_lsn,
                   (select coalesce(sum(n_tup_upd + n_tup_del), 0) from pg_stat_user_tables)""";
    private static final Pattern SPACE = Pattern.compile(" ");

    /** Of Linux; the kernel reports times of ended children in this unit everywhere. */
    private static final int TICKS_PER_SECOND = 100;

    static Spent now(long systemPid, long postmaster, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SERVER)) {
            row.next();
            return new Spent(cpu(systemPid), cpuOfTree(postmaster), row.getLong(1), row.getLong(2));
        }
    }

    private static Duration cpu(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    private static Duration cpuOfTree(long pid) {
        Stream<ProcessHandle> children = ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants);
        return children.map(child -> cpu(child.pid())).reduce(cpu(pid).plus(cpuOfEndedChildren(pid)), Duration::plus);
    }

    /** Zero where there is no /proc. */
    private static Duration cpuOfEndedChildren(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The name in parentheses may have spaces. What follows begins with field 3; 16 and 17 are user and system
            // time.
            String[] fields = SPACE.split(stat.substring(stat.lastIndexOf(')') + 2), -1);
            long ticks = Long.parseLong(fields[13]) + Long.parseLong(fields[14]);
            return Duration.ofMillis(ticks * 1000 / TICKS_PER_SECOND);
        } catch (IOException e) {
            return Duration.ZERO;
        }
    }

    Spent minus(Spent earlier) {
        return new Spent(
                system.minus(earlier.system),
                database.minus(earlier.database),
                wal - earlier.wal,
                deadTuples - earlier.deadTuples);
    }
}
