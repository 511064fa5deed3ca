package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A person has locked a row, in a transaction that stays open. */
class LockedRowTest {
    private static final RelayName RELAY = TableWorld.RELAY;
    private static final Actor ANNA = new Actor("anna", "the broker is mended");

    static Stream<Arguments> everywhere() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "waybill"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_published_row_is_marked_once_it_is_free_and_nothing_comes_twice(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String first = world.append("a");
            String other = world.append("b");
            RelaySession session = world.open("one");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            try (Connection person = lock(world, first)) {
                TableWorld.publish(session, out);
                assertThat(isPending(world, other)).isFalse();
                String behind = world.append("a");
                String later = world.append("b");
                assertThat(TableWorld.drain(session)).containsExactly(behind, later);
                assertThat(isPending(world, first)).isTrue();
                person.rollback();
            }
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            assertThat(isPending(world, first)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_row_that_failed_holds_its_key_up_and_others_go_on(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String retried = world.append("a");
            String dead = world.append("b");
            String other = world.append("c");
            RelaySession session = world.open("one");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            String behind = world.append("a");
            try (Connection person = lock(world, retried, dead)) {
                session.settle(
                        out,
                        List.of(
                                world.retryIn(Duration.ofMinutes(1)),
                                new Settlement.Dead("never", true, false),
                                Settlement.PUBLISHED));
                assertThat(isPending(world, other)).isFalse();
                String later = world.append("c");
                assertThat(TableWorld.drain(session)).containsExactly(later);
                person.rollback();
            }
            world.clock.advance(Duration.ofHours(1));
            Settlement again = new Settlement.Dead("never", true, false);
            assertThat(TableWorld.drain(session, Map.of(dead, again))).containsExactly(retried, behind);
            assertThat(world.store().admin().relays().get(0).dead()).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_relay_that_competes_keeps_its_lease_and_marks_the_row_later(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))
                .with(options -> options.claiming(TableOptions.Claiming.COMPETING))) {
            String first = world.append("a");
            String other = world.append("b");
            RelaySession session = world.open("one");
            RelaySession rival = world.open("two");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            try (Connection person = lock(world, first)) {
                TableWorld.publish(session, out);
                assertThat(isPending(world, other)).isFalse();
                String later = world.append("b");
                assertThat(TableWorld.drain(session)).containsExactly(later);
                assertThat(isPending(world, first)).isTrue();
                person.rollback();
            }
            assertThat(rival.claim(TableWorld.PLENTY)).isEmpty();
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            assertThat(isPending(world, first)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_requeue_or_discard_leaves_it_out_and_holds_no_relay_up(TableDialect dialect, String preset)
            throws Exception {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String locked = world.append("a");
            String discarded = world.append("b");
            String requeued = world.append("c");
            Settlement refused = new Settlement.Dead("refused", true, false);
            RelaySession session = world.open("one");
            TableWorld.drain(session, Map.of(locked, refused, discarded, refused, requeued, refused));
            StoreAdmin admin = world.store().admin();
            try (Connection person = lock(world, locked)) {
                CompletableFuture<Integer> changed = CompletableFuture.supplyAsync(() -> {
                    int gone = admin.discard(RELAY, Selection.of(locked, discarded), ANNA);
                    return gone + admin.requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA);
                });
                int rounds = 0;
                while (!changed.isDone()) {
                    // Each of its statements waits a second for a lock, and fails then.
                    String fresh = world.append("d");
                    assertThat(TableWorld.drain(session)).contains(fresh);
                    rounds++;
                }
                assertThat(rounds).isPositive();
                assertThat(changed.get()).isEqualTo(2);
                assertThat(admin.audit(2))
                        .extracting(AuditEntry::details)
                        .allMatch(details -> details.startsWith("1 events")
                                && details.contains("without 1 that a relay is working on or somebody has locked"));
                person.rollback();
            }
            assertThat(admin.requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA))
                    .isEqualTo(1);
            world.passNanos(Duration.ofMinutes(1));
            assertThat(TableWorld.drain(session)).contains(locked);
            assertThat(isPending(world, requeued)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void what_is_behind_it_in_its_key_is_left_out_too_and_comes_in_order(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            String first = world.append("a");
            String locked = world.append("a");
            String other = world.append("b");
            String behind = world.append("a");
            Settlement refused = new Settlement.Dead("refused", true, false);
            RelaySession session = world.open("one");
            TableWorld.drain(session, Map.of(first, refused, locked, refused, other, refused, behind, refused));
            StoreAdmin admin = world.store().admin();
            Selection all = Selection.all(ParkedState.DEAD);
            try (Connection person = lock(world, locked)) {
                assertThat(admin.requeue(RELAY, all, ANNA)).isEqualTo(2);
                assertThat(admin.audit(1).get(0).details())
                        .startsWith("2 events")
                        .contains("without 2 that");
                world.passNanos(Duration.ofMinutes(1));
                assertThat(TableWorld.drain(session)).containsExactlyInAnyOrder(first, other);
                person.rollback();
            }
            assertThat(admin.requeue(RELAY, Selection.of(behind, locked), ANNA)).isEqualTo(2);
            world.passNanos(Duration.ofMinutes(1));
            assertThat(TableWorld.drain(session)).containsExactly(locked, behind);
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void what_is_behind_it_is_left_out_in_later_steps_too_however_a_person_lists_them(TableDialect dialect)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.orders())) {
            String locked = world.append("a");
            world.appendMany(1_100);
            String behind = world.append("a");
            RelaySession session = world.open("one");
            List<String> ids = new ArrayList<>();
            for (Optional<Batch> out = session.claim(TableWorld.PLENTY);
                    out.isPresent();
                    out = session.claim(TableWorld.PLENTY)) {
                ids.addAll(0, TableWorld.ids(out.get()));
                session.settle(
                        out.get(),
                        Collections.nCopies(out.get().events().size(), new Settlement.Dead("refused", true, false)));
            }
            Collections.reverse(ids);
            StoreAdmin admin = world.store().admin();
            try (Connection person = lock(world, locked)) {
                assertThat(admin.requeue(RELAY, Selection.of(ids), ANNA)).isEqualTo(1_100);
                world.passNanos(Duration.ofMinutes(1));
                assertThat(TableWorld.drain(session)).hasSize(1_100).doesNotContain(behind);
                person.rollback();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_requeue_waits_a_little_for_a_row_that_is_soon_free(TableDialect dialect) throws Exception {
        try (TableWorld world = new TableWorld(dialect, TableLayout.orders())) {
            String dead = world.append("a");
            RelaySession session = world.open("one");
            TableWorld.drain(session, Map.of(dead, new Settlement.Dead("refused", true, false)));
            try (Connection person = lock(world, dead)) {
                String table = "from " + dialect.quote(world.layout.table()) + " ";
                DataSource releasing = watched(world.database.dataSource(), sql -> {
                    if (sql.contains(table) && sql.endsWith("for update")) {
                        person.rollback();
                    }
                });
                assertThat(world.store(releasing).admin().requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA))
                        .isEqualTo(1);
            }
        }
    }

    private interface Watching {
        void statement(String sql) throws SQLException;
    }

    private static DataSource watched(DataSource real, Watching watching) {
        return proxy(DataSource.class, (method, arguments) -> {
            Object result = method.invoke(real, arguments);
            return !(result instanceof Connection connection)
                    ? result
                    : proxy(Connection.class, (called, given) -> {
                        if (called.getName().equals("prepareStatement")) {
                            watching.statement((String) given[0]);
                        }
                        return called.invoke(connection, given);
                    });
        });
    }

    private interface Calling {
        Object call(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Calling calling) {
        return type.cast(Proxy.newProxyInstance(
                LockedRowTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return calling.call(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static Connection lock(TableWorld world, String... ids) throws SQLException {
        Connection person = world.database.begin();
        LayoutNames names = new LayoutNames(world.layout, world.database.dialect());
        try (Statement statement = person.createStatement()) {
            for (String id : ids) {
                statement.executeQuery(names.in("select {id} from {table} where {id} = '" + id + "' for update"));
            }
        }
        return person;
    }

    private static boolean isPending(TableWorld world, String id) throws SQLException {
        LayoutNames names = new LayoutNames(world.layout, world.database.dialect());
        return !world.database
                .rows(names.in("select 1 from {table} where {id} = '" + id + "' and {is_pending}"))
                .isEmpty();
    }
}
