package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.LeasedSession;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.Seeds;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.InjectedError;
import dev.waybill.testkit.JdbcFaults;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Events are published into a ledger that commits them together with the position, while the first call to the database fails,
 * then the second, and so on. Whatever fails, each event is in the ledger once, in the order of its key, or it is dead.
 */
class WindowsEveryCallFailsTest {
    private static final RelayName RELAY = new RelayName("relay");
    private static final Actor ME = new Actor("me", "test");
    private static final Limits THREE = new Limits(3, 1_000_000);
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int MOST_CALLS = 2_000;
    /** The full check fails every call; otherwise one in six, others in each run. */
    private static final int STEP = Boolean.getBoolean("waybill.full") ? 1 : 6;

    private final JournalDatabase database = JournalDatabase.create();
    private final long seed = Seeds.one();
    private final Random random = new Random(seed);

    @Test
    void calls_fail_in_turn_in_one_way() throws SQLException {
        int failures = 0;
        for (boolean holds : List.of(false, true)) {
            int struck = 1;
            for (int call = 1 + random.nextInt(STEP); struck > 0; call += STEP) {
                struck = run(call, anyWay(), holds);
                failures += struck;
                assertThat(call).isLessThan(MOST_CALLS);
            }
        }
        System.out.println("windows: every call fails in turn (seed " + seed + "): " + failures + " failures injected");
        assertThat(failures).isGreaterThan(100 / STEP);
    }

    @Test
    @Tag("full")
    void every_call_fails_in_every_way() throws SQLException {
        for (Failure way : EnumSet.complementOf(EnumSet.of(Failure.STALL))) {
            int struck = 1;
            for (int call = 1; struck > 0; call++) {
                struck = run(call, way, call % 2 == 0);
            }
        }
    }

    /** A stall is a takeover in the middle of a call, which {@code JournalWindowsTest} has. */
    private Failure anyWay() {
        List<Failure> ways =
                List.copyOf(new TreeSet<>(EnumSet.complementOf(EnumSet.of(Failure.STALL, Failure.HOSTILE_EXCEPTION))));
        return ways.get(random.nextInt(ways.size()));
    }

    private int run(int call, Failure way, boolean holds) throws SQLException {
        database.empty();
        try (Scene scene = new Scene(holds)) {
            scene.faults.faults().arm(call, way, () -> {});
            scene.play();
            scene.faults.faults().disarm();
            scene.publishAll();
            scene.requeue();
            scene.publishAll();
            assertThat(scene.problems())
                    .as(
                            "call %d (%s) fails as %s, %s",
                            call, scene.faults.faults().struckAt(), way, scene.ledger)
                    .isEmpty();
            return scene.faults.faults().struck() ? 1 : 0;
        }
    }

    private final class Scene implements AutoCloseable {
        private final JdbcFaults faults = JdbcFaults.onPostgres(database.kept());
        private final ManualClock clock = new ManualClock();
        private final PostgresJournal journal = PostgresJournal.on(
                faults.dataSource(), JournalOptions.defaults().clock(clock));
        private final boolean holds;
        private final List<String> ledger = new ArrayList<>();
        private final Set<String> appended = new TreeSet<>();
        private final Set<String> requeued = new TreeSet<>();
        private Optional<WindowPosition> committed = Optional.empty();
        private @Nullable WindowSession session;
        private int owners;

        Scene(boolean holds) {
            this.holds = holds;
        }

        void play() throws SQLException {
            append("a1", "b1", "x1", "a2");
            work(2);
            append("x2", "b2", "x3", "a3", "c1");
            work(4);
            requeue();
            append("a4", "x4", "b3");
            work(4);
            close();
            work(3);
            requeue();
            work(6);
        }

        private void append(String... names) throws SQLException {
            try (Connection writer = database.begin()) {
                JournalFixture.append(writer, names);
                writer.commit();
            }
            appended.addAll(List.of(names));
        }

        /** As a relay does it: whatever is thrown ends the session. */
        private void work(int steps) {
            for (int i = 0; i < steps; i++) {
                try {
                    step();
                } catch (StoreException | LeaseLostException | InjectedError e) {
                    close();
                }
            }
        }

        private boolean step() {
            if (session == null) {
                Optional<WindowSession> opened = journal.openWindows(RELAY, new OwnerId("owner " + ++owners), LEASE);
                if (opened.isEmpty()) {
                    releaseLease();
                    return true;
                }
                session = opened.get();
                session.resume(committed);
            }
            Optional<WindowPage> page = session.read(THREE);
            if (page.isEmpty()) {
                clock.advance(Duration.ofMillis(300));
                return false;
            }
            List<StoredEvent> dead = page.get().events().stream()
                    .filter(event -> isPoison(event) && !isRequeued(event))
                    .toList();
            if (!dead.isEmpty()) {
                session.giveUp(
                        dead,
                        dead.stream()
                                .map(event -> new Settlement.Dead("poison", true, holds))
                                .toList());
                session.resume(committed);
                return true;
            }
            // The commit of the destination: both or none.
            page.get().events().forEach(event -> ledger.add(event.type().toString()));
            committed = Optional.of(page.get().end());
            session.committed(page.get().end());
            return true;
        }

        private boolean isPoison(StoredEvent event) {
            return event.type().toString().startsWith("x");
        }

        private boolean isRequeued(StoredEvent event) {
            return requeued.contains(event.type().toString());
        }

        /** A session whose end failed leaves its lease behind, which others take after it has expired. */
        private void releaseLease() {
            try {
                database.execute("update waybill.lease set lease_until = '-infinity'");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void publishAll() {
            int idle = 0;
            for (int i = 0; i < 200 && idle < 3; i++) {
                idle = step() ? 0 : idle + 1;
            }
        }

        void requeue() throws SQLException {
            requeued.addAll(
                    database.texts(
                            "select e.type from waybill.parked p join waybill.event e on e.seq = p.seq where p.state = 'dead'"));
            PostgresJournal.on(database.dataSource(), JournalOptions.defaults().clock(clock))
                    .admin()
                    .requeue(RELAY, Selection.all(ParkedState.DEAD), ME);
        }

        List<String> problems() throws SQLException {
            List<String> problems = new ArrayList<>();
            Map<String, Integer> highest = new HashMap<>();
            for (String name : ledger) {
                String key = name.substring(0, 1);
                int number = Integer.parseInt(name.substring(1));
                boolean late = !holds && isLate(name);
                if (!late && highest.merge(key, number, Math::max) > number) {
                    problems.add(name + " is out of order");
                }
            }
            appended.forEach(name -> {
                long times = ledger.stream().filter(name::equals).count();
                if (times != 1) {
                    problems.add(name + " was published " + times + " times");
                }
            });
            Stream.of(
                            "waybill.parked",
                            "waybill.open_window where number < (select max(number) from waybill.open_window)")
                    .forEach(table -> {
                        if (rows(table) > 0) {
                            problems.add("there are rows in " + table);
                        }
                    });
            return problems;
        }

        /** Events that pass a dead one of their key; requeued, it comes after them. */
        private boolean isLate(String name) {
            return name.startsWith("x");
        }

        private long rows(String table) {
            try {
                return database.number("select count(*) from " + table);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            Optional<WindowSession> ending = Optional.ofNullable(session);
            session = null;
            try {
                ending.ifPresent(LeasedSession::close);
            } catch (InjectedError e) {
                // The loop of a relay logs it and opens another session.
            }
        }
    }
}
