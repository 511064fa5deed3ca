package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.ExplainedStatements.Explained;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 300,000 published rows are retained, and the statistics are from when there were none. Whatever the planner thinks of it, a
 * poll and a claim touch few pages, also while a transaction that began before all of it keeps every index entry alive.
 */
class TablePlannerTest {
    private static final int RETAINED = 300_000;
    private static final int BATCH = 500;
    /** What a poll that finds nothing may touch, in pages of 8 kB. */
    private static final int IDLE = 40;
    /** What a claim of 500 rows may touch: of the retained, 1,000 are young enough to be walked over. */
    private static final int CLAIM = 1_500;

    private final AtomicLong nanos = new AtomicLong();

    @ParameterizedTest
    @ValueSource(strings = {"polyshop", "orders", "waybill"})
    void an_idle_poll_and_a_claim_touch_few_pages_also_with_a_transaction_left_open(String preset) throws SQLException {
        try (TableWorld world = new TableWorld(TableDialect.POSTGRESQL, TableLayout.preset(preset));
                Connection leftOpen = world.database.begin()) {
            world.database.execute("analyze");
            world.append(leftOpen, "open");
            fill(world);
            ExplainedStatements statements = new ExplainedStatements(world.database.dataSource());
            try (RelaySession session = TableStore.on(
                            statements.dataSource(),
                            world.layout,
                            TableOptions.defaults().nanoTime(nanos::get))
                    .open(TableWorld.RELAY, new OwnerId("one"), TableWorld.LEASE)
                    .orElseThrow()) {
                settleDown(session);
                statements.take();
                assertThat(session.claim(new Limits(BATCH, 10_000_000))).isEmpty();
                requireFewPages(preset + ", idle", statements, IDLE);

                world.appendMany(1_000);
                statements.take();
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                assertThat(batch.events()).hasSize(BATCH);
                requireFewPages(preset + ", claim", statements, CLAIM);
                TableWorld.publish(session, batch);
            }
        }
    }

    /** A join could compare each of many rows with each of many side rows, which takes minutes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void side_rows_are_looked_up_one_by_one_whatever_the_statistics_say(boolean analyzed) throws SQLException {
        try (TableWorld world = new TableWorld(TableDialect.POSTGRESQL, TableLayout.polyshop())) {
            world.appendMany(2_000);
            try (RelaySession session = world.open("before")) {
                for (int i = 0; i < 2; i++) {
                    Batch batch = session.claim(TableWorld.PLENTY).orElseThrow();
                    session.settle(batch, Collections.nCopies(1_000, new Settlement.Dead("no", true, false)));
                }
            }
            world.store()
                    .admin()
                    .requeue(TableWorld.RELAY, Selection.all(ParkedState.DEAD), new Actor("anna", "mended"));
            if (analyzed) {
                world.database.execute("analyze");
            }
            ExplainedStatements statements = new ExplainedStatements(world.database.dataSource());
            try (RelaySession session = world.store(statements.dataSource())
                    .open(TableWorld.RELAY, new OwnerId("one"), TableWorld.LEASE)
                    .orElseThrow()) {
                assertThat(session.claim(TableWorld.PLENTY)).isPresent();
            }
            List<Explained> lookUps = statements.take().stream()
                    .filter(one -> one.sql().contains("not exists"))
                    .toList();
            assertThat(lookUps).hasSizeGreaterThan(1);
            assertThat(lookUps)
                    .allSatisfy(one -> assertThat(one.nodes())
                            .as(one.sql())
                            .doesNotContain("Nested Loop", "Hash Join", "Merge Join", "Materialize"));
        }
    }

    /** Published as a relay would have: updated, so that the index has their old entries too. */
    private static void fill(TableWorld world) throws SQLException {
        LayoutNames names = new LayoutNames(world.layout, TableDialect.POSTGRESQL);
        world.appendMany(1_000);
        String columns = String.join(
                ", ",
                world.layout.columns().entrySet().stream()
                        .filter(column -> column.getKey() != TableColumn.ID && column.getKey() != TableColumn.SEQUENCE)
                        .map(column -> TableDialect.POSTGRESQL.quote(column.getValue()))
                        .toList());
        String createdAt = names.in("{created_at}");
        world.database.execute(names.in("insert into {table} ({id}, " + columns
                + ") select cast(gen_random_uuid()::text as "
                + (world.layout.idKind() == TableLayout.IdKind.UUID ? "uuid" : "text")
                + "), " + columns.replace(createdAt, createdAt + " - interval '1 hour'")
                + " from {table}, generate_series(1, " + (RETAINED / 1_000 - 1) + ")"));
        String published = world.layout.state() instanceof TableState.Words words
                ? "{state} = '" + words.published() + "', {published_at} = {created_at}"
                : world.layout.state() instanceof TableState.Flag
                        ? "{state} = true, {published_at} = {created_at}"
                        : "{published_at} = {created_at}";
        world.database.execute(names.in("update {table} set " + published));
    }

    /** The first polls look back as far as transactions ended that nobody had seen begin. */
    private void settleDown(RelaySession session) {
        for (int poll = 0; poll < 5; poll++) {
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(session.claim(new Limits(BATCH, 10_000_000))).isEmpty();
        }
    }

    private static void requireFewPages(String what, ExplainedStatements statements, int bound) {
        List<Explained> all = statements.take();
        long pages = all.stream().mapToLong(Explained::buffers).sum();
        System.out.println(what + ": " + pages + " pages");
        assertThat(pages).as("%s: pages touched by %s", what, all).isPositive().isLessThanOrEqualTo(bound);
        assertThat(all.stream().flatMap(one -> one.nodes().stream()).toList()).doesNotContain("Seq Scan");
    }
}
