package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.RowsRead;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cost of a requeue, a discard and a step of retention depends on what they change, not on the 20,000 published rows and
 * 40,000 dead side rows beside it. The statistics of the side table are from when it was empty.
 */
class RequeueCostTest {
    /** More than any step may read. */
    private static final int RETAINED = Boolean.getBoolean("waybill.full") ? 20_000 : 8_000;

    private static final int CHANGED = 20;
    private static final int PURGED = 100;
    /** Most rows and index entries read for each row that is changed. */
    private static final int EACH = 60;

    private static final Actor ANNA = new Actor("anna", "mended");

    static Stream<Arguments> everywhere() {
        return TablesContractTest.presets();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    @Tag("full")
    void requeue_and_discard_do_not_cost_more_with_more_other_rows_in_any_layout(TableDialect dialect, String preset)
            throws SQLException {
        requireFewReads(dialect, preset, false);
    }

    /** In the fast check one of the databases. */
    static Stream<TableDialect> databases() {
        return Boolean.getBoolean("waybill.full")
                ? Stream.of(TableDialect.values())
                : Stream.of(TableDialect.POSTGRESQL);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void requeue_discard_and_retention_do_not_cost_more_with_more_other_rows(TableDialect dialect) throws SQLException {
        requireFewReads(dialect, "notifications", true);
        requireFewReads(dialect, "orders", true);
    }

    /** @param retention whether the layout has an index of published rows by time; otherwise a step reads the table */
    private static void requireFewReads(TableDialect dialect, String preset, boolean retention) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            fixture.append("published");
            List<String> dead = new ArrayList<>();
            try (RelaySession session = fixture.open("one")) {
                TableFixture.drain(session);
                fixture.multiply(RETAINED);
                TableCostTest.addDead(fixture);
                Map<String, Settlement> settlements = new HashMap<>();
                for (int i = 0; i < CHANGED; i++) {
                    dead.add(fixture.append("dead" + i));
                    settlements.put(dead.get(i), new Settlement.Dead("refused", true, false));
                    settlements.put(fixture.append("retry" + i), fixture.retryIn(Duration.ofMinutes(1)));
                }
                TableFixture.drain(session, settlements);
            }
            TableCostTest.analyzeTable(fixture);
            RowsRead reads = new RowsRead(fixture.database);
            StoreAdmin admin = fixture.store(reads.dataSource()).admin();
            Selection ids = Selection.of(dead);
            reads.take();

            assertThat(admin.previewRequeue(TableFixture.RELAY, ids).found()).isEqualTo(CHANGED);
            requireFew(reads, "a preview", CHANGED);
            assertThat(admin.parked(ParkedQuery.of(TableFixture.RELAY).in(ParkedState.DUE)))
                    .hasSize(CHANGED);
            requireFew(reads, "a list of due rows", CHANGED);
            assertThat(admin.requeue(TableFixture.RELAY, ids, ANNA)).isEqualTo(CHANGED);
            requireFew(reads, "a requeue", CHANGED);
            assertThat(admin.discard(TableFixture.RELAY, Selection.all(ParkedState.DUE), ANNA))
                    .isEqualTo(2 * CHANGED);
            requireFew(reads, "a discard", 2 * CHANGED);
            if (retention) {
                assertThat(admin.purge(Duration.ZERO, PURGED).deleted()).isEqualTo(PURGED);
                requireFew(reads, "a step of retention", PURGED);
            }
        }
    }

    private static void requireFew(RowsRead reads, String what, int changed) {
        long rows = reads.take();
        assertThat(rows)
                .as("%s: rows read, most by %s", what, reads.costliest())
                .isPositive()
                .isLessThanOrEqualTo((long) EACH * changed);
    }
}
