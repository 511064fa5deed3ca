package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
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
    private static final int ROWS = 2_000;
    private static final int SESSIONS = 4;
    private static final Actor ANNA = new Actor("anna", "the topic is there now");

    private final List<TableWorld> worlds = new ArrayList<>();

    private TableWorld world(TableDialect dialect, TableLayout layout) throws SQLException {
        TableWorld world =
                new TableWorld(dialect, layout).with(options -> options.claiming(TableOptions.Claiming.COMPETING));
        worlds.add(world);
        return world;
    }

    @AfterEach
    void close() {
        worlds.forEach(TableWorld::close);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void several_sessions_get_each_row_once_and_none_is_lost(TableDialect dialect) throws Exception {
        long seed = System.nanoTime();
        System.out.println("Competing seed: " + seed);
        TableWorld world = world(dialect, TableLayout.notifications());
        world.appendMany(ROWS);
        List<String> given = Collections.synchronizedList(new ArrayList<>());
        ExecutorService threads = Executors.newFixedThreadPool(SESSIONS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < SESSIONS; i++) {
                String owner = "owner " + i;
                Random random = new Random(seed + i);
                running.add(threads.submit(() -> work(world, owner, random, given)));
            }
            for (Future<?> done : running) {
                done.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(given).as("seed %s", seed).hasSize(ROWS).doesNotHaveDuplicates();
        assertThat(world.database.rows("select 1 from " + quoted(world, "waybill_claim")))
                .isEmpty();
    }

    private static String quoted(TableWorld world, String table) {
        return world.database.dialect().quote(table);
    }

    /** Gives some back, fails some, and keeps two batches out. */
    private static void work(TableWorld world, String owner, Random random, List<String> given) {
        try (RelaySession session = world.store()
                .open(TableWorld.RELAY, new OwnerId(owner), TableWorld.LEASE)
                .orElseThrow()) {
            for (int empty = 0; empty < 3; ) {
                Optional<Batch> batch = session.claim(new Limits(1 + random.nextInt(100), 1_000_000));
                if (batch.isEmpty()) {
                    empty++;
                    world.passNanos(Duration.ofSeconds(2));
                } else if (random.nextInt(10) == 0) {
                    session.settle(
                            batch.get(),
                            Collections.nCopies(batch.get().events().size(), Settlement.RELEASED));
                } else {
                    given.addAll(TableWorld.ids(batch.get()));
                    TableWorld.publish(session, batch.get());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_leased_row_is_given_to_nobody_else_until_its_lease_has_run_out(TableDialect dialect) throws SQLException {
        TableWorld world = world(dialect, TableLayout.orders());
        String id = world.append("a");
        RelaySession one = world.open("one");
        RelaySession two = world.open("two");
        Batch leased = one.claim(TableWorld.PLENTY).orElseThrow();
        assertThat(TableWorld.ids(leased)).containsExactly(id);
        world.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableWorld.PLENTY)).isEmpty();
        assertThat(one.claim(TableWorld.PLENTY)).isEmpty();

        world.execute("update {claim} set lease_until = 1");
        world.passNanos(Duration.ofMinutes(1));
        Batch takenOver = two.claim(TableWorld.PLENTY).orElseThrow();
        assertThat(TableWorld.ids(takenOver)).containsExactly(id);

        one.settle(leased, List.of(new Settlement.Dead("too late", true, false)));
        assertThat(world.row(id)).containsEntry("status", "NEW");
        TableWorld.publish(two, takenOver);
        assertThat(world.row(id)).containsEntry("status", "SENT").containsEntry("error_message", null);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void renewing_keeps_the_rows_and_closing_gives_them_back(TableDialect dialect) throws SQLException {
        TableWorld world = world(dialect, TableLayout.polyshop());
        String id = world.append("a");
        RelaySession one = world.open("one");
        RelaySession two = world.open("two");
        assertThat(one.claim(TableWorld.PLENTY)).isPresent();
        world.execute("update {claim} set lease_until = 1");
        assertThat(one.renew()).isTrue();
        world.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableWorld.PLENTY)).isEmpty();

        one.close();
        world.passNanos(Duration.ofMinutes(1));
        assertThat(TableWorld.drain(two)).containsExactly(id);
        assertThat(world.row(id)).containsEntry("processed", true);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_row_that_failed_waits_for_its_time_with_its_attempts_counted(TableDialect dialect) throws SQLException {
        TableWorld world = world(dialect, TableLayout.orders());
        String id = world.append("a");
        RelaySession one = world.open("one");
        assertThat(TableWorld.drain(one, Map.of(id, world.retryIn(Duration.ofSeconds(5)))))
                .isEmpty();
        world.passNanos(Duration.ofMinutes(1));
        RelaySession two = world.open("two");
        assertThat(two.claim(TableWorld.PLENTY)).isEmpty();

        world.clock.advance(Duration.ofSeconds(5));
        Batch retry = two.claim(TableWorld.PLENTY).orElseThrow();
        assertThat(retry.events().get(0).attempts()).isEqualTo(1);
        two.settle(retry, List.of(new Settlement.Dead("refused", true, false)));
        assertThat(world.row(id)).containsEntry("status", "FAILED").containsEntry("error_message", "refused");
        world.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableWorld.PLENTY)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_row_that_a_relay_is_working_on_is_neither_requeued_nor_discarded(TableDialect dialect) throws SQLException {
        TableWorld world = world(dialect, TableLayout.orders());
        StoreAdmin admin = world.store().admin();
        RelaySession one = world.open("one");
        RelaySession two = world.open("two");
        String dead = world.append("dead");
        TableWorld.drain(one, Map.of(dead, new Settlement.Dead("refused", true, false)));
        String fresh = world.append("a");
        Batch leased = one.claim(TableWorld.PLENTY).orElseThrow();
        assertThat(TableWorld.ids(leased)).containsExactly(fresh);

        Selection both = Selection.of(dead, fresh);
        assertThat(admin.previewRequeue(TableWorld.RELAY, both).found()).isEqualTo(1);
        assertThat(admin.previewDiscard(TableWorld.RELAY, both).found()).isEqualTo(1);
        assertThat(admin.discard(TableWorld.RELAY, Selection.of(fresh), ANNA)).isZero();
        assertThat(admin.requeue(TableWorld.RELAY, both, ANNA)).isEqualTo(1);
        assertThat(admin.audit(1).get(0).details())
                .contains("1 events")
                .contains("without 1 that a relay is working on");
        world.passNanos(Duration.ofMinutes(1));
        assertThat(TableWorld.drain(two)).containsExactly(dead);

        TableWorld.publish(one, leased);
        assertThat(world.row(fresh)).containsEntry("status", "SENT").containsEntry("error_message", null);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_retry_under_way_is_left_out_when_all_that_wait_are_requeued_until_its_lease_has_run_out(TableDialect dialect)
            throws SQLException {
        TableWorld world = world(dialect, TableLayout.orders());
        Selection waiting = Selection.all(ParkedState.DUE);
        String id = world.append("a");
        RelaySession one = world.open("one");
        RelaySession two = world.open("two");
        TableWorld.drain(one, Map.of(id, world.retryIn(Duration.ofSeconds(5))));
        world.clock.advance(Duration.ofSeconds(10));
        world.passNanos(Duration.ofMinutes(1));
        Batch leased = one.claim(TableWorld.PLENTY).orElseThrow();

        assertThat(world.store().admin().requeue(TableWorld.RELAY, waiting, ANNA))
                .isZero();
        assertThat(world.store().admin().discard(TableWorld.RELAY, waiting, ANNA))
                .isZero();
        world.passNanos(Duration.ofMinutes(1));
        assertThat(two.claim(TableWorld.PLENTY)).as("its lease runs").isEmpty();

        world.execute("update {claim} set lease_until = 1");
        assertThat(world.store().admin().requeue(TableWorld.RELAY, waiting, ANNA))
                .isEqualTo(1);
        world.passNanos(Duration.ofMinutes(1));
        assertThat(TableWorld.drain(two)).containsExactly(id);
        TableWorld.publish(one, leased);
        assertThat(world.row(id)).containsEntry("status", "SENT");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void no_order_is_promised_and_a_paused_relay_claims_nothing(TableDialect dialect) throws SQLException {
        TableWorld world = world(dialect, TableLayout.waybill());
        world.append("a");
        RelaySession one = world.open("one");
        assertThat(world.store().capabilities().ordered()).isFalse();
        world.store().admin().pause(TableWorld.RELAY, ANNA);
        assertThat(one.claim(TableWorld.PLENTY)).isEmpty();

        world.store().admin().resume(TableWorld.RELAY, ANNA);
        assertThat(TableWorld.drain(one)).hasSize(1);
    }
}
