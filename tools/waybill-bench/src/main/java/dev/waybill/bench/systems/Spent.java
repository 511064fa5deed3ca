package dev.waybill.bench.systems;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a system and the database have used up so far.
 *
 * @param system CPU time of the system's process
 * @param database CPU time of all processes of PostgreSQL, ended ones too
 * @param wal bytes of write-ahead log
 * @param deadTuples row versions that updates and deletes left behind; vacuumed or not
 * @param roundTrips to the database, if they are counted
 */
record Spent(Duration system, Duration database, long wal, long deadTuples, long roundTrips) {
    private static final String SERVER = """
            select pg_current_wal_insert_lsn() - '0/0'::pg_lsn,
                   (select coalesce(sum(n_tup_upd + n_tup_del), 0) from pg_stat_user_tables)""";
    private static final Pattern SPACE = Pattern.compile(" ");

    private static final int MOST_READS = 50;

    /** Of Linux; the kernel reports times of ended children in this unit everywhere. */
    private static final int TICKS_PER_SECOND = 100;

    static Spent now(long systemPid, Stage stage, Connection connection) throws SQLException {
        long roundTrips = stage.roundTrips().getAsLong();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(SERVER)) {
            row.next();
            return new Spent(cpu(systemPid), cpuOfTree(stage.postmaster()), row.getLong(1), row.getLong(2), roundTrips);
        }
    }

    private static Duration cpu(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO);
    }

    /**
     * A child that ends while this reads would count twice or not at all, and many end when a pool is closed: it reads again then.
     */
    private static Duration cpuOfTree(long pid) {
        Set<Long> children;
        Duration sum;
        int reads = 0;
        do {
            children = descendants(pid);
            sum = children.stream().map(Spent::cpu).reduce(Duration.ZERO, Duration::plus);
            sum = sum.plus(cpu(pid)).plus(cpuOfEndedChildren(pid));
        } while (!children.equals(descendants(pid)) && ++reads < MOST_READS);
        return sum;
    }

    private static Set<Long> descendants(long pid) {
        return ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
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
                deadTuples - earlier.deadTuples,
                roundTrips - earlier.roundTrips);
    }

    /** Memory that a process occupies; 0 where there is no /proc. */
    static int residentMegabytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToInt(kilobytes -> Integer.parseInt(kilobytes) >> 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
