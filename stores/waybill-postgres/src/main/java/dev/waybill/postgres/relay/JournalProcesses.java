package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.ErrorText;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.Printable;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.support.LeaseBound;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes that share the relays of a journal, in {@code waybill.process}. */
public record JournalProcesses(DataSource dataSource) implements ProcessRegister {
    private static final Logger log = LoggerFactory.getLogger(JournalProcesses.class);

    private static final int MOST_REPORTS = 500;
    private static final int MOST_READ = 20_000;
    private static final int LONGEST_TEXT = 500;

    private static final String LIVE = """
            select p.id, p.beat, p.held, p.relays from waybill.process p
             where p.until > clock_timestamp() order by p.id""";

    /**
     * Read from the whole row, because an older schema has no such column. Any client with the role of a relay can write there, so
     * neither its size nor its form is trusted.
     */
    private static final String REPORTS = """
            select p.id, r.report ->> 'relay', left(r.report ->> 'phase', %1$d), left(r.report ->> 'problem', %1$d),
                   left(r.report ->> 'since', %1$d), clock_timestamp()
              from waybill.process p
             cross join lateral (
                select x.report from jsonb_array_elements(
                    case jsonb_typeof(to_jsonb(p) -> 'reports') when 'array' then to_jsonb(p) -> 'reports' else '[]' end) x (report)
                 where length(x.report ->> 'relay') <= 100 and x.report ->> 'phase' <> '' limit %2$d) r
             where p.until > clock_timestamp() order by 2, p.id limit %3$d""".formatted(LONGEST_TEXT, MOST_REPORTS, MOST_READ);

    @Override
    public List<Entry> processes() {
        return look("listing processes", JournalProcesses::live);
    }

    /** For display only: no decision depends on the register here, so a read fails early instead of waiting for locks. */
    private <R> R look(String what, StoreConnection.Work<JournalConnection, R> work) {
        return JournalConnection.once(dataSource, what, open -> open.briefly(work));
    }

    private static List<Entry> live(JournalConnection connection) throws SQLException {
        return connection.query(LIVE, JournalProcesses::entry).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** Empty if no process can have written the row. */
    private static Optional<Entry> entry(ResultSet row) throws SQLException {
        @Nullable String[] relays = (@Nullable String[]) row.getArray(4).getArray();
        try {
            Set<RelayName> names = Stream.of(relays)
                    .map(name -> new RelayName(String.valueOf(name)))
                    .collect(Collectors.toSet());
            return Optional.of(new Entry(new OwnerId(row.getString(1)), row.getLong(2), row.getInt(3), names));
        } catch (IllegalArgumentException e) {
            log.debug("A row of the register is no process.", e);
            return Optional.empty();
        }
    }

    @Override
    public List<RelayReport> reports() {
        return look("listing what processes report", JournalProcesses::listReports);
    }

    /** The same over a connection that is used for more; none if they cannot be read. */
    public static List<RelayReport> reports(JournalConnection open) {
        try {
            return open.briefly(JournalProcesses::listReports);
        } catch (SQLException | RuntimeException e) {
            log.debug("What processes report could not be read.", e);
            return List.of();
        }
    }

    private static List<RelayReport> listReports(JournalConnection open) throws SQLException {
        Set<List<Record>> seen = new HashSet<>();
        return open.query(REPORTS, JournalProcesses::report).stream()
                .flatMap(Optional::stream)
                .filter(report -> seen.add(List.of(report.process(), report.relay())))
                .toList();
    }

    /** Empty if no process can have written it. */
    private static Optional<RelayReport> report(ResultSet row) throws SQLException {
        Instant now = row.getTimestamp(6).toInstant();
        Optional<String> since = Optional.ofNullable(row.getString(5));
        try {
            return Optional.of(new RelayReport(
                    new OwnerId(row.getString(1)),
                    new RelayName(row.getString(2)),
                    row.getString(3),
                    since.map(time -> until(now, OffsetDateTime.parse(time).toInstant())),
                    Optional.ofNullable(row.getString(4))));
        } catch (IllegalArgumentException | DateTimeException e) {
            log.debug("Something in the register is no report.", e);
            return Optional.empty();
        }
    }

    private static Duration until(Instant now, Instant since) {
        return since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO;
    }

    @Override
    public Registration register() {
        return new OverConnection(dataSource);
    }

    private static final class OverConnection implements Registration {
        /**
         * A crash of the server ends the connection, and then all is announced again. The wait for a lock ends before that for an
         * answer, so that the error names who holds it.
         */
        private static final String APPLY_SETTINGS =
                "select set_config('synchronous_commit', 'off', false), set_config('lock_timeout', '400ms', false)";

        private static final String FORGET_OLD =
                "delete from waybill.process where until < clock_timestamp() - interval '1 hour'";

        private static final String ANNOUNCE = """
                insert into waybill.process (id, beat, held, relays, until)
                values (?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond')
                on conflict (id) do update
                   set beat = excluded.beat, held = excluded.held, relays = excluded.relays, until = excluded.until""";

        /** Without leases that end after {@link LeaseBound}: the first process that asks takes them. */
        private static final String HOLDERS = """
                select l.relay, l.owner from waybill.lease l
                 where l.owner is not null and l.lease_until >= clock_timestamp()
                   and l.lease_until <= clock_timestamp() + ? * interval '1 millisecond'""";

        private static final String REMOVE = "delete from waybill.process where id = ?";

        private static final String HAS_REPORTS = """
                select 1 from pg_attribute
                 where attrelid = 'waybill.process'::regclass and attname = 'reports' and not attisdropped""";

        private static final String REPORT = """
                update waybill.process set reports = (
                    select coalesce(jsonb_agg(jsonb_build_object('relay', r.relay, 'phase', r.phase, 'problem', r.problem,
                               'since', clock_timestamp() - r.millis * interval '1 millisecond')), '[]')
                      from unnest(?::text[], ?::text[], ?::text[], ?::bigint[]) r (relay, phase, problem, millis))
                 where id = ?""";

        private static final int SHORTEST_WAIT_MILLIS = 500;

        private final DataSource dataSource;
        private @Nullable JournalConnection connection;
        private @Nullable OwnerId announced;
        private Duration validity = Duration.ofHours(1);
        private boolean takesReports;
        /** As the row of this process has them; without how long relays have been failing, which the row tells by itself. */
        private @Nullable List<RelayReport> reported;

        OverConnection(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Override
        public void announce(Entry own, Duration validFor) {
            announced = own.process();
            validity = validFor;
            on("announcing this process", open -> {
                open.waitForAnswers((int) Math.max(SHORTEST_WAIT_MILLIS, validFor.toMillis()));
                return open.update(
                        ANNOUNCE,
                        own.process().value(),
                        own.beat(),
                        own.held(),
                        open.array(
                                "text",
                                own.relays().stream().map(RelayName::value).toArray()),
                        validFor.toMillis());
            });
        }

        @Override
        public void report(List<RelayReport> reports) {
            OwnerId own = announced;
            List<RelayReport> some = reports.stream().limit(MOST_REPORTS).toList();
            List<RelayReport> lasting =
                    some.stream().map(OverConnection::lasting).toList();
            if (own == null || lasting.equals(reported)) {
                return;
            }
            on("reporting its relays", open -> {
                if (takesReports) {
                    open.update(
                            REPORT,
                            open.array(
                                    "text", each(some, report -> report.relay().value())),
                            open.array("text", each(some, report -> storable(report.phase()))),
                            open.array(
                                    "text",
                                    each(
                                            some,
                                            report -> report.problem()
                                                    .map(OverConnection::storable)
                                                    .orElse(null))),
                            open.array(
                                    "bigint",
                                    each(
                                            some,
                                            report -> report.failingFor()
                                                    .map(Duration::toMillis)
                                                    .orElse(null))),
                            own.value());
                }
                return own;
            });
            reported = lasting;
        }

        /** The time of the first report of a failure stays in the row, so that only changes are written. */
        private static RelayReport lasting(RelayReport report) {
            return new RelayReport(
                    report.process(),
                    report.relay(),
                    report.phase(),
                    report.failingFor().map(time -> Duration.ZERO),
                    report.problem());
        }

        private static @Nullable Object[] each(
                List<RelayReport> reports, Function<RelayReport, @Nullable Object> value) {
            return reports.stream().map(value).toArray();
        }

        private static String storable(String text) {
            return ErrorText.cut(Printable.whole(text), LONGEST_TEXT);
        }

        @Override
        public Reading read() {
            return on("reading which processes run its relays", open -> {
                Map<RelayName, OwnerId> holders = new HashMap<>();
                open.each(
                        HOLDERS,
                        row -> holders.put(new RelayName(row.getString(1)), new OwnerId(row.getString(2))),
                        LeaseBound.of(validity).toMillis());
                return new Reading(live(open), holders);
            });
        }

        private <R> R on(String what, StoreConnection.Work<JournalConnection, R> work) {
            try {
                JournalConnection open = connection;
                if (open == null) {
                    open = JournalConnection.open(dataSource);
                    connection = open;
                    open.execute(APPLY_SETTINGS);
                    open.update(FORGET_OLD);
                    takesReports = open.exists(HAS_REPORTS);
                    reported = null;
                }
                return work.on(open);
            } catch (SQLException e) {
                JournalConnection failed = connection;
                StoreException said = failed == null ? JournalConnection.failed(what, e) : failed.failedHere(what, e);
                disconnect();
                throw said;
            }
        }

        private void disconnect() {
            JournalConnection open = connection;
            connection = null;
            if (open != null) {
                open.cut();
                open.closeQuietly();
            }
        }

        @Override
        public void close() {
            JournalConnection open = connection;
            OwnerId own = announced;
            connection = null;
            if (open == null) {
                return;
            }
            try {
                if (own != null) {
                    open.update(REMOVE, own.value());
                }
            } catch (SQLException e) {
                log.info("The announcement of this process was not removed ({}); it expires.", e.getMessage());
            } finally {
                open.closeQuietly();
            }
        }
    }
}
