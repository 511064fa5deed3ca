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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Somebody has locked a row in a transaction that stays open. */
class LockedRowTest {
    private static final RelayName RELAY = TableFixture.RELAY;
    private static final Actor ANNA = new Actor("anna", "the broker is mended");

    static Stream<Arguments> everywhere() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "waybill"));
    }

    /** Where no reader looks back for minutes. */
    static Stream<Arguments> orderedBySequence() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("waybill"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_published_row_is_marked_once_it_is_free_and_nothing_comes_twice(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String first = fixture.append("a");
            String other = fixture.append("b");
            RelaySession session = fixture.open("one");
            Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
            try (Connection person = lock(fixture, first)) {
                TableFixture.publish(session, out);
                assertThat(isPending(fixture, other)).isFalse();
                String behind = fixture.append("a");
                String later = fixture.append("b");
                assertThat(TableFixture.drain(session)).containsExactly(behind, later);
                assertThat(isPending(fixture, first)).isTrue();
                person.rollback();
            }
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            assertThat(isPending(fixture, first)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void what_waits_behind_a_retry_that_is_locked_when_it_is_published_comes_as_soon_as_it_is_free(
            TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String first = fixture.append("a");
            RelaySession session = fixture.open("one");
            session.settle(
                    session.claim(TableFixture.PLENTY).orElseThrow(), List.of(fixture.retryIn(Duration.ofMinutes(1))));
            String second = fixture.append("a");
            for (int round = 0; round < 3; round++) {
                assertThat(TableFixture.drain(session)).isEmpty();
                fixture.passNanos(Duration.ofSeconds(2));
            }
            try (Connection person = lock(fixture, first)) {
                fixture.clock.advance(Duration.ofHours(1));
                TableFixture.publish(session, session.claim(TableFixture.PLENTY).orElseThrow());
                assertThat(TableFixture.drain(session)).isEmpty();
                person.rollback();
            }
            String third = fixture.append("a");

            assertThat(TableFixture.drain(session)).containsExactly(second, third);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("orderedBySequence")
    void what_waits_behind_a_retry_that_was_locked_and_is_then_deleted_comes_before_later_events_of_its_key(
            TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String first = fixture.append("a");
            RelaySession session = fixture.open("one");
            session.settle(
                    session.claim(TableFixture.PLENTY).orElseThrow(), List.of(fixture.retryIn(Duration.ofMinutes(1))));
            String second = fixture.append("a");
            for (int round = 0; round < 3; round++) {
                assertThat(TableFixture.drain(session)).isEmpty();
                fixture.passNanos(Duration.ofSeconds(2));
            }
            try (Connection person = lock(fixture, first);
                    Statement statement = person.createStatement()) {
                fixture.clock.advance(Duration.ofHours(1));
                TableFixture.publish(session, session.claim(TableFixture.PLENTY).orElseThrow());
                assertThat(TableFixture.drain(session)).isEmpty();
                statement.execute(new LayoutNames(fixture.layout, dialect)
                        .in("delete from {table} where {id} = '" + first + "'"));
                person.commit();
            }
            List<String> published = new ArrayList<>(TableFixture.drain(session));
            String third = fixture.append("a");
            published.addAll(TableFixture.drain(session));

            assertThat(published).containsExactly(second, third);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_failed_row_closes_its_key_and_other_keys_continue(TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String retried = fixture.append("a");
            String dead = fixture.append("b");
            String other = fixture.append("c");
            RelaySession session = fixture.open("one");
            Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
            String behind = fixture.append("a");
            try (Connection person = lock(fixture, retried, dead)) {
                session.settle(
                        out,
                        List.of(
                                fixture.retryIn(Duration.ofMinutes(1)),
                                new Settlement.Dead("never", true, false),
                                Settlement.PUBLISHED));
                assertThat(isPending(fixture, other)).isFalse();
                String later = fixture.append("c");
                assertThat(TableFixture.drain(session)).containsExactly(later);
                person.rollback();
            }
            fixture.clock.advance(Duration.ofHours(1));
            Settlement again = new Settlement.Dead("never", true, false);
            assertThat(TableFixture.drain(session, Map.of(dead, again))).containsExactly(retried, behind);
            assertThat(fixture.store().admin().relays().get(0).dead()).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_competing_relay_keeps_its_lease_and_marks_the_row_later(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))
                .with(options -> options.claiming(TableOptions.Claiming.COMPETING))) {
            String first = fixture.append("a");
            String other = fixture.append("b");
            RelaySession session = fixture.open("one");
            RelaySession rival = fixture.open("two");
            Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
            try (Connection person = lock(fixture, first)) {
                TableFixture.publish(session, out);
                assertThat(isPending(fixture, other)).isFalse();
                String later = fixture.append("b");
                assertThat(TableFixture.drain(session)).containsExactly(later);
                assertThat(isPending(fixture, first)).isTrue();
                person.rollback();
            }
            assertThat(rival.claim(TableFixture.PLENTY)).isEmpty();
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            assertThat(isPending(fixture, first)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void a_requeue_or_discard_leaves_it_out_and_does_not_block_the_relay(TableDialect dialect, String preset)
            throws Exception {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String locked = fixture.append("a");
            String discarded = fixture.append("b");
            String requeued = fixture.append("c");
            Settlement refused = new Settlement.Dead("refused", true, false);
            RelaySession session = fixture.open("one");
            TableFixture.drain(session, Map.of(locked, refused, discarded, refused, requeued, refused));
            StoreAdmin admin = fixture.store().admin();
            try (Connection person = lock(fixture, locked)) {
                CompletableFuture<Integer> changed = CompletableFuture.supplyAsync(() -> {
                    int gone = admin.discard(RELAY, Selection.of(locked, discarded), ANNA);
                    return gone + admin.requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA);
                });
                int rounds = 0;
                do {
                    // Each of the operator's statements waits a second for a lock and then fails.
                    String fresh = fixture.append("d");
                    assertThat(TableFixture.drain(session)).contains(fresh);
                    rounds += changed.isDone() ? 0 : 1;
                } while (!isDoneSoon(changed));
                assertThat(rounds).isPositive();
                assertThat(changed.get()).isEqualTo(2);
                assertThat(admin.audit(2))
                        .extracting(AuditEntry::details)
                        .allMatch(details -> details.startsWith("1 events")
                                && details.contains("without 1 that a relay is working on, that somebody has locked"));
                person.rollback();
            }
            assertThat(admin.requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA))
                    .isEqualTo(1);
            fixture.passNanos(Duration.ofMinutes(1));
            assertThat(TableFixture.drain(session)).contains(locked);
            assertThat(isPending(fixture, requeued)).isFalse();
        }
    }

    private static boolean isDoneSoon(CompletableFuture<?> changed) throws InterruptedException {
        try {
            changed.get(50, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void later_rows_of_its_key_are_left_out_too_and_come_in_order(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            String first = fixture.append("a");
            String locked = fixture.append("a");
            String other = fixture.append("b");
            String behind = fixture.append("a");
            Settlement refused = new Settlement.Dead("refused", true, false);
            RelaySession session = fixture.open("one");
            TableFixture.drain(session, Map.of(first, refused, locked, refused, other, refused, behind, refused));
            StoreAdmin admin = fixture.store().admin();
            Selection all = Selection.all(ParkedState.DEAD);
            try (Connection person = lock(fixture, locked)) {
                assertThat(admin.requeue(RELAY, all, ANNA)).isEqualTo(2);
                assertThat(admin.audit(1).get(0).details())
                        .startsWith("2 events")
                        .contains("without 2 that");
                fixture.passNanos(Duration.ofMinutes(1));
                assertThat(TableFixture.drain(session)).containsExactlyInAnyOrder(first, other);
                person.rollback();
            }
            assertThat(admin.requeue(RELAY, Selection.of(behind, locked), ANNA)).isEqualTo(2);
            fixture.passNanos(Duration.ofMinutes(1));
            assertThat(TableFixture.drain(session)).containsExactly(locked, behind);
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void later_rows_of_its_key_are_left_out_in_later_steps_too_in_whatever_order_they_are_given(TableDialect dialect)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.orders())) {
            String locked = fixture.append("a");
            fixture.appendMany(1_100);
            String behind = fixture.append("a");
            RelaySession session = fixture.open("one");
            List<String> ids = new ArrayList<>();
            for (Optional<Batch> out = session.claim(TableFixture.PLENTY);
                    out.isPresent();
                    out = session.claim(TableFixture.PLENTY)) {
                ids.addAll(0, TableFixture.ids(out.get()));
                session.settle(
                        out.get(),
                        Collections.nCopies(out.get().events().size(), new Settlement.Dead("refused", true, false)));
            }
            Collections.reverse(ids);
            StoreAdmin admin = fixture.store().admin();
            try (Connection person = lock(fixture, locked)) {
                assertThat(admin.requeue(RELAY, Selection.of(ids), ANNA)).isEqualTo(1_100);
                fixture.passNanos(Duration.ofMinutes(1));
                assertThat(TableFixture.drain(session)).hasSize(1_100).doesNotContain(behind);
                person.rollback();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_requeue_waits_briefly_for_a_locked_row(TableDialect dialect) throws Exception {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.orders())) {
            String dead = fixture.append("a");
            RelaySession session = fixture.open("one");
            TableFixture.drain(session, Map.of(dead, new Settlement.Dead("refused", true, false)));
            try (Connection person = lock(fixture, dead)) {
                String table = "from " + dialect.quote(fixture.layout.table()) + " ";
                DataSource releasing = watched(fixture.database.dataSource(), sql -> {
                    if (sql.contains(table) && sql.endsWith("for update")) {
                        person.rollback();
                    }
                });
                assertThat(fixture.store(releasing).admin().requeue(RELAY, Selection.all(ParkedState.DEAD), ANNA))
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

    private static Connection lock(TableFixture fixture, String... ids) throws SQLException {
        Connection person = fixture.database.begin();
        LayoutNames names = new LayoutNames(fixture.layout, fixture.database.dialect());
        try (Statement statement = person.createStatement()) {
            for (String id : ids) {
                statement.executeQuery(names.in("select {id} from {table} where {id} = '" + id + "' for update"));
            }
        }
        return person;
    }

    private static boolean isPending(TableFixture fixture, String id) throws SQLException {
        LayoutNames names = new LayoutNames(fixture.layout, fixture.database.dialect());
        return !fixture.database
                .rows(names.in("select 1 from {table} where {id} = '" + id + "' and {is_pending}"))
                .isEmpty();
    }
}
