package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.tck.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several sessions share the rows of a table. */
class CompetingTest {
    private static final int ROWS = 800;
    private static final int SESSIONS = 4;
    private static final Actor ANNA = new Actor("anna", "the topic is there now");

    private final List<TableFixture> fixtures = new ArrayList<>();

    private TableFixture fixture(TableDialect dialect, TableLayout layout) throws SQLException {
        TableFixture fixture =
                new TableFixture(dialect, layout).with(options -> options.claiming(TableOptions.Claiming.COMPETING));
        fixtures.add(fixture);
        return fixture;
    }

    @AfterEach
    void close() {
        fixtures.forEach(TableFixture::close);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void several_sessions_get_each_row_once_and_none_is_lost(TableDialect dialect) throws Exception {
        long seed = Seeds.one();
        System.out.println("Competing seed: " + seed);
        TableFixture fixture = fixture(dialect, TableLayout.notifications());
        fixture.appendMany(ROWS);
        List<String> given = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                String owner = "owner " + i;
                Random random = new Random(seed + i);
                running.add(threads.submit(() -> work(fixture, owner, random, given)));
            }
            for (Future<?> done : running) {
                done.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(given).as("seed %s", seed).hasSize(ROWS).doesNotHaveDuplicates();
        assertThat(fixture.database.rows("select 1 from " + quoted(fixture, "waybill_claim")))
                .isEmpty();
    }

    private static String quoted(TableFixture fixture, String table) {
        return fixture.database.dialect().quote(table);
    }

    /** Releases some batches and publishes the others. */
    private static void work(TableFixture fixture, String owner, Random random, List<String> given) {
        try (RelaySession session = fixture.store()
                .open(TableFixture.RELAY, new OwnerId(owner), TableFixture.LEASE)
                .orElseThrow()) {
            for (int empty = 0; empty < 3; ) {
                Optional<Batch> batch = session.claim(new Limits(1 + random.nextInt(100), 1_000_000));
                if (batch.isEmpty()) {
                    empty++;
                    fixture.passNanos(Duration.ofSeconds(2));
                } else if (random.nextInt(10) == 0) {
                    session.settle(
                            batch.get(),
                            Collections.nCopies(batch.get().events().size(), Settlement.RELEASED));
                } else {
                    given.addAll(TableFixture.ids(batch.get()));
                    TableFixture.publish(session, batch.get());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_leased_row_is_claimed_by_no_other_session_until_its_lease_has_expired(TableDialect dialect)
            throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        String id = fixture.append("a");
        RelaySession one = fixture.open("one");
        RelaySession two = fixture.open("two");
        Batch leased = one.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(TableFixture.ids(leased)).containsExactly(id);
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableFixture.PLENTY)).isEmpty();
        assertThat(one.claim(TableFixture.PLENTY)).isEmpty();

        fixture.execute("update {claim} set lease_until = 1");
        fixture.passNanos(Duration.ofMinutes(1));
        Batch takenOver = two.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(TableFixture.ids(takenOver)).containsExactly(id);

        one.settle(leased, List.of(new Settlement.Dead("too late", true, false)));
        assertThat(fixture.row(id)).containsEntry("status", "NEW");
        TableFixture.publish(two, takenOver);
        assertThat(fixture.row(id)).containsEntry("status", "SENT").containsEntry("error_message", null);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void renewing_keeps_the_leases_and_closing_releases_them(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.polyshop());
        String id = fixture.append("a");
        RelaySession one = fixture.open("one");
        RelaySession two = fixture.open("two");
        assertThat(one.claim(TableFixture.PLENTY)).isPresent();
        fixture.execute("update {claim} set lease_until = 1");
        assertThat(one.renew()).isTrue();
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableFixture.PLENTY)).isEmpty();

        one.close();
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(TableFixture.drain(two)).containsExactly(id);
        assertThat(fixture.row(id)).containsEntry("processed", true);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_published_row_that_was_locked_is_marked_when_its_session_closes(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.notifications());
        String free = fixture.append("a");
        String locked = fixture.append("b");
        RelaySession one = fixture.open("one");
        Batch batch = one.claim(TableFixture.PLENTY).orElseThrow();
        try (Connection locker = fixture.database.begin();
                Statement lock = locker.createStatement()) {
            lock.execute("select 1 from " + quoted(fixture, fixture.layout.table()) + " where event_id = '" + locked
                    + "' for update");
            TableFixture.publish(one, batch);
            assertThat(fixture.row(free)).containsEntry("status", "PROCESSED");
            assertThat(fixture.row(locked)).containsEntry("status", "PENDING");
            locker.rollback();
        }
        one.close();
        assertThat(fixture.row(locked)).containsEntry("status", "PROCESSED");
        assertThat(TableFixture.drain(fixture.open("two"))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_failed_row_waits_for_its_retry_with_its_attempts_counted(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        String id = fixture.append("a");
        RelaySession one = fixture.open("one");
        assertThat(TableFixture.drain(one, Map.of(id, fixture.retryIn(Duration.ofSeconds(5)))))
                .isEmpty();
        fixture.passNanos(Duration.ofMinutes(1));
        RelaySession two = fixture.open("two");
        assertThat(two.claim(TableFixture.PLENTY)).isEmpty();

        fixture.clock.advance(Duration.ofSeconds(5));
        Batch retry = two.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(retry.events().get(0).attempts()).isEqualTo(1);
        two.settle(retry, List.of(new Settlement.Dead("refused", true, false)));
        assertThat(fixture.row(id)).containsEntry("status", "FAILED").containsEntry("error_message", "refused");
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableFixture.PLENTY)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_row_that_a_relay_is_working_on_is_neither_requeued_nor_discarded(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        StoreAdmin admin = fixture.store().admin();
        RelaySession one = fixture.open("one");
        RelaySession two = fixture.open("two");
        String dead = fixture.append("dead");
        TableFixture.drain(one, Map.of(dead, new Settlement.Dead("refused", true, false)));
        String fresh = fixture.append("a");
        Batch leased = one.claim(TableFixture.PLENTY).orElseThrow();
        assertThat(TableFixture.ids(leased)).containsExactly(fresh);

        Selection both = Selection.of(dead, fresh);
        assertThat(admin.previewRequeue(TableFixture.RELAY, both).found()).isEqualTo(1);
        assertThat(admin.previewDiscard(TableFixture.RELAY, both).found()).isEqualTo(1);
        assertThat(admin.discard(TableFixture.RELAY, Selection.of(fresh), ANNA)).isZero();
        assertThat(admin.requeue(TableFixture.RELAY, both, ANNA)).isEqualTo(1);
        assertThat(admin.audit(1).get(0).details())
                .startsWith("1 events: " + dead + "; not changed: " + fresh)
                .contains("without 1 that a relay is working on");
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(TableFixture.drain(two)).containsExactly(dead);

        TableFixture.publish(one, leased);
        assertThat(fixture.row(fresh)).containsEntry("status", "SENT").containsEntry("error_message", null);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_leased_retry_is_left_out_of_a_requeue_until_its_lease_has_expired(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        Selection waiting = Selection.all(ParkedState.DUE);
        String id = fixture.append("a");
        RelaySession one = fixture.open("one");
        RelaySession two = fixture.open("two");
        TableFixture.drain(one, Map.of(id, fixture.retryIn(Duration.ofSeconds(5))));
        fixture.clock.advance(Duration.ofSeconds(10));
        fixture.passNanos(Duration.ofMinutes(1));
        Batch leased = one.claim(TableFixture.PLENTY).orElseThrow();

        assertThat(fixture.store().admin().requeue(TableFixture.RELAY, waiting, ANNA))
                .isZero();
        assertThat(fixture.store().admin().discard(TableFixture.RELAY, waiting, ANNA))
                .isZero();
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableFixture.PLENTY)).as("its lease runs").isEmpty();

        fixture.execute("update {claim} set lease_until = 1");
        assertThat(fixture.store().admin().requeue(TableFixture.RELAY, waiting, ANNA))
                .isEqualTo(1);
        fixture.passNanos(Duration.ofMinutes(1));
        assertThat(TableFixture.drain(two)).containsExactly(id);
        TableFixture.publish(one, leased);
        assertThat(fixture.row(id)).containsEntry("status", "SENT");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_relay_that_runs_is_shown_as_running_and_cannot_be_dropped(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        StoreAdmin admin = fixture.store().admin();
        RelaySession one = fixture.open("one");
        assertThat(lease(admin)).map(RelayStatus.Lease::owner).contains("one");
        RelaySession two = fixture.open("two");
        assertThat(lease(admin)).map(RelayStatus.Lease::owner).contains("two");
        fixture.execute("update {relay} set lease_until = 1");
        assertThat(lease(admin)).as("nobody renewed it").isEmpty();
        assertThat(one.renew()).isTrue();
        assertThat(lease(admin)).map(RelayStatus.Lease::owner).contains("one");

        one.close();
        assertThat(lease(admin)).as("the other session still runs").isPresent();
        assertThatThrownBy(() -> admin.drop(TableFixture.RELAY, ANNA))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContaining("runs it");
        fixture.append("a");
        assertThat(TableFixture.drain(two)).hasSize(1);

        two.close();
        fixture.execute("update {relay} set lease_until = 1");
        assertThat(admin.drop(TableFixture.RELAY, ANNA)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_session_that_was_alone_ends_the_lease_when_it_is_closed(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        StoreAdmin admin = fixture.store().admin();
        RelaySession alone = fixture.open("alone");
        assertThat(alone.renew()).isTrue();
        alone.close();

        RelayStatus status = admin.relays().get(0);
        assertThat(status.lease()).isEmpty();
        assertThat(status.unattended()).isPresent();
        assertThat(admin.drop(TableFixture.RELAY, ANNA)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_session_in_order_waits_until_competing_ones_are_closed(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.orders());
        TableStore ordered = TableStore.on(fixture.database.dataSource(), fixture.layout);
        RelaySession competing = fixture.open("one");
        assertThat(ordered.open(TableFixture.RELAY, new OwnerId("two"), TableFixture.LEASE))
                .isEmpty();
        assertThat(competing.renew()).isTrue();

        competing.close();
        try (RelaySession session = ordered.open(TableFixture.RELAY, new OwnerId("two"), TableFixture.LEASE)
                .orElseThrow()) {
            assertThat(session.renew()).isTrue();
        }
    }

    private static Optional<RelayStatus.Lease> lease(StoreAdmin admin) {
        return admin.relays().get(0).lease();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_paused_relay_claims_nothing(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.waybill());
        fixture.append("a");
        RelaySession one = fixture.open("one");
        fixture.store().admin().pause(TableFixture.RELAY, ANNA);
        assertThat(one.claim(TableFixture.PLENTY)).isEmpty();

        fixture.store().admin().resume(TableFixture.RELAY, ANNA);
        assertThat(TableFixture.drain(one)).hasSize(1);
    }
}
