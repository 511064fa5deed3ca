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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a person and retention do costs what they change, beside 20,000 published rows and 40,000 dead side rows. The statistics
 * of the side table are from before.
 */
class TableMendingCostTest {
    private static final int RETAINED = 20_000;
    private static final int CHANGED = 20;
    private static final int PURGED = 100;
    /** Rows and index entries for a row that is changed, through a few statements. */
    private static final int EACH = 60;

    private static final Actor ANNA = new Actor("anna", "mended");

    static Stream<Arguments> everywhere() {
        return TablesContractTest.everywhere();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    @Tag("full")
    void nor_with_any_other_layout(TableDialect dialect, String preset) throws SQLException {
        requireFewReads(dialect, preset);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void what_people_change_does_not_grow_in_cost_with_the_rest(TableDialect dialect) throws SQLException {
        requireFewReads(dialect, "notifications");
        requireFewReads(dialect, "orders");
    }

    private static void requireFewReads(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            world.append("published");
            List<String> dead = new ArrayList<>();
            try (RelaySession session = world.open("one")) {
                TableWorld.drain(session);
                world.multiply(RETAINED);
                TableCostTest.addDead(world);
                Map<String, Settlement> settlements = new HashMap<>();
                for (int i = 0; i < CHANGED; i++) {
                    dead.add(world.append("dead" + i));
                    settlements.put(dead.get(i), new Settlement.Dead("refused", true, false));
                    settlements.put(world.append("retry" + i), world.retryIn(Duration.ofMinutes(1)));
                }
                TableWorld.drain(session, settlements);
            }
            TableCostTest.analyzeTable(world);
            RowsRead reads = new RowsRead(world.database);
            StoreAdmin admin = world.store(reads.dataSource()).admin();
            Selection ids = Selection.of(dead);
            reads.take();

            assertThat(admin.previewRequeue(TableWorld.RELAY, ids).found()).isEqualTo(CHANGED);
            requireFew(reads, "a preview", CHANGED);
            assertThat(admin.parked(ParkedQuery.of(TableWorld.RELAY).in(ParkedState.DUE)))
                    .hasSize(CHANGED);
            requireFew(reads, "a list of what waits", CHANGED);
            assertThat(admin.requeue(TableWorld.RELAY, ids, ANNA)).isEqualTo(CHANGED);
            requireFew(reads, "a requeue", CHANGED);
            assertThat(admin.discard(TableWorld.RELAY, Selection.all(ParkedState.DUE), ANNA))
                    .isEqualTo(2 * CHANGED);
            requireFew(reads, "a discard", 2 * CHANGED);
        }
    }

    /** In layouts with an index of the published ones by time; in the others a step reads the table. */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource({
        "POSTGRESQL, notifications",
        "POSTGRESQL, orders",
        "MARIADB, notifications",
        "MARIADB, orders",
        "H2, notifications",
        "H2, orders"
    })
    void a_step_of_retention_reads_what_it_deletes(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            world.append("published");
            try (RelaySession session = world.open("one")) {
                TableWorld.drain(session);
            }
            world.multiply(RETAINED);
            TableCostTest.addDead(world);
            TableCostTest.analyzeTable(world);
            RowsRead reads = new RowsRead(world.database);
            StoreAdmin admin = world.store(reads.dataSource()).admin();

            assertThat(admin.purge(Duration.ZERO, PURGED).deleted()).isEqualTo(PURGED);
            requireFew(reads, "a step of retention", PURGED);
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
