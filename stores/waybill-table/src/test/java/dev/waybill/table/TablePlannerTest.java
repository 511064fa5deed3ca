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
 * Many published rows are retained, and the statistics are from when the table was empty. A poll and a claim touch few pages
 * all the same, also while an older transaction keeps every index entry alive.
 */
class TablePlannerTest {
    private static final int RETAINED = Boolean.getBoolean("waybill.full") ? 300_000 : 60_000;
    private static final int BATCH = 500;
    /** Most pages of 8 kB that a poll without a result may touch: 1,000 retained rows are young enough to be read again. */
    private static final int IDLE = 100;
    /** Most pages that a claim of 500 rows may touch. */
    private static final int CLAIM = 1_500;

    private final AtomicLong nanos = new AtomicLong();

    @ParameterizedTest
    @ValueSource(strings = {"polyshop", "orders", "waybill"})
    void an_idle_poll_and_a_claim_touch_few_pages_also_with_a_transaction_left_open(String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.preset(preset));
                Connection leftOpen = fixture.database.begin()) {
            fixture.database.execute("analyze");
            fixture.append(leftOpen, "open");
            fill(fixture);
            ExplainedStatements statements = new ExplainedStatements(fixture.database.dataSource());
            try (RelaySession session = TableStore.on(
                            statements.dataSource(),
                            fixture.layout,
                            TableOptions.defaults().nanoTime(nanos::get))
                    .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                    .orElseThrow()) {
                settleDown(session);
                statements.take();
                assertThat(session.claim(new Limits(BATCH, 10_000_000))).isEmpty();
                requireFewPages(preset + ", idle", statements, IDLE);

                fixture.appendMany(1_000);
                statements.take();
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                assertThat(batch.events()).hasSize(BATCH);
                requireFewPages(preset + ", claim", statements, CLAIM);
                TableFixture.publish(session, batch);
            }
        }
    }

    /** A join could compare each of many rows with each of many side rows, which takes minutes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void side_rows_are_looked_up_one_by_one_whatever_the_statistics(boolean analyzed) throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.polyshop())) {
            fixture.appendMany(2_000);
            try (RelaySession session = fixture.open("before")) {
                for (int i = 0; i < 2; i++) {
                    Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
                    session.settle(batch, Collections.nCopies(1_000, new Settlement.Dead("no", true, false)));
                }
            }
            fixture.store()
                    .admin()
                    .requeue(TableFixture.RELAY, Selection.all(ParkedState.DEAD), new Actor("anna", "mended"));
            if (analyzed) {
                fixture.database.execute("analyze");
            }
            ExplainedStatements statements = new ExplainedStatements(fixture.database.dataSource());
            try (RelaySession session = fixture.store(statements.dataSource())
                    .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                    .orElseThrow()) {
                assertThat(session.claim(TableFixture.PLENTY)).isPresent();
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

    /** Updated as by a relay, so that the index also has the old entries. */
    private static void fill(TableFixture fixture) throws SQLException {
        LayoutNames names = new LayoutNames(fixture.layout, TableDialect.POSTGRESQL);
        fixture.appendMany(1_000);
        String columns = String.join(
                ", ",
                fixture.layout.columns().entrySet().stream()
                        .filter(column -> column.getKey() != TableColumn.ID && column.getKey() != TableColumn.SEQUENCE)
                        .map(column -> TableDialect.POSTGRESQL.quote(column.getValue()))
                        .toList());
        String createdAt = names.in("{created_at}");
        fixture.database.execute(names.in("insert into {table} ({id}, " + columns
                + ") select cast(gen_random_uuid()::text as "
                + (fixture.layout.idKind() == TableLayout.IdKind.UUID ? "uuid" : "text")
                + "), " + columns.replace(createdAt, createdAt + " - interval '1 hour'")
                + " from {table}, generate_series(1, " + (RETAINED / 1_000 - 1) + ")"));
        String published = fixture.layout.state() instanceof TableState.Words words
                ? "{state} = '" + words.published() + "', {published_at} = {created_at}"
                : fixture.layout.state() instanceof TableState.Flag
                        ? "{state} = true, {published_at} = {created_at}"
                        : "{published_at} = {created_at}";
        fixture.database.execute(names.in("update {table} set " + published));
    }

    /** The first polls look back for transactions that ended before the session began. */
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
