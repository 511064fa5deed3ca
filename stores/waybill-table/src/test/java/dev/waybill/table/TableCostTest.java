package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.RowsRead;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a claim, a settlement, a renewal and a step of the sweep make the database read does not grow with what is dead: 20,000
 * dead side rows of the very key that the relay works on, and as many of others. The statistics are from before.
 */
class TableCostTest {
    private static final int DEAD = 20_000;
    private static final int BATCH = 100;
    /** Rows and index entries for a batch of 100, through a few statements. */
    private static final int BOUND = 40 * BATCH;
    /** A step of the sweep looks at a page of dead side rows, at a page of pending rows, and each row in them. */
    private static final int SWEEP_BOUND = 20_000;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.everywhere();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    @Tag("full")
    void nor_with_any_other_layout(TableDialect dialect, String preset) throws SQLException {
        requireFewReads(dialect, preset);
        requireFewReadsCompeting(dialect, preset);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void cost_does_not_grow_with_what_is_dead(TableDialect dialect) throws SQLException {
        requireFewReads(dialect, "notifications");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void nor_does_that_of_relays_that_compete(TableDialect dialect) throws SQLException {
        requireFewReadsCompeting(dialect, "notifications");
    }

    /** On PostgreSQL some of the documents' indexes end with the time. */
    static Stream<Arguments> withTheRowInTheIndex() {
        return TablesContractTest.everywhere().filter(place -> place.get()[0] != TableDialect.POSTGRESQL);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("withTheRowInTheIndex")
    void a_claim_does_not_read_all_rows_of_one_time(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            world.append("a");
            world.multiply(2 * BOUND);
            RowsRead reads = new RowsRead(world.database);
            try (RelaySession session = open(world, reads)) {
                reads.take();
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                assertThat(batch.events()).hasSize(BATCH);
                requireFew(reads, "claiming", BOUND);
            }
        }
    }

    private static void requireFewReads(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            addDead(world);
            RowsRead reads = new RowsRead(world.database);
            try (RelaySession session = open(world, reads)) {
                append(world);
                analyzeTable(world);
                requireFew(reads, "opening", BOUND);
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                assertThat(batch.events()).hasSize(BATCH);
                requireFew(reads, "claiming", BOUND);
                session.settle(batch, settlements(world, batch));
                requireFew(reads, "settling", BOUND);
                world.clock.advance(Duration.ofHours(1));
                Batch retries = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                assertThat(retries.events()).hasSize(2);
                requireFew(reads, "claiming a retry", BOUND);
                TableWorld.publish(session, retries);
                requireFew(reads, "settling a retry", BOUND);
                assertThat(session.renew()).isTrue();
                requireFew(reads, "renewing", BOUND);
                world.passNanos(Duration.ofSeconds(61));
                for (int i = 0; i < 5; i++) {
                    session.claim(new Limits(BATCH, 10_000_000));
                    requireFew(reads, "a step of the sweep", SWEEP_BOUND);
                }
            }
        }
    }

    private static void requireFewReadsCompeting(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))
                .with(options -> options.claiming(TableOptions.Claiming.COMPETING))) {
            addDead(world);
            RowsRead reads = new RowsRead(world.database);
            try (RelaySession session = open(world, reads)) {
                append(world);
                analyzeTable(world);
                reads.take();
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                requireFew(reads, "claiming", BOUND);
                assertThat(session.renew()).isTrue();
                requireFew(reads, "renewing", BOUND);
                TableWorld.publish(session, batch);
                requireFew(reads, "settling", BOUND);
            }
            requireFew(reads, "closing", BOUND);
        }
    }

    private static RelaySession open(TableWorld world, RowsRead reads) {
        return world.store(reads.dataSource())
                .open(TableWorld.RELAY, new OwnerId("one"), TableWorld.LEASE)
                .orElseThrow();
    }

    private static void append(TableWorld world) throws SQLException {
        for (int i = 0; i < BATCH; i++) {
            world.append(i % 2 == 0 ? "a" : "k" + i);
        }
    }

    /** The database knows how large the table is, and takes the side table for empty. */
    static void analyzeTable(TableWorld world) throws SQLException {
        if (world.database.dialect() == TableDialect.MARIADB) {
            world.execute("analyze table {table}");
        }
    }

    /** The last of the key and one other wait for a retry. */
    private static List<Settlement> settlements(TableWorld world, Batch batch) {
        return IntStream.range(0, batch.events().size())
                .<Settlement>mapToObj(
                        i -> i == 1 || i == BATCH - 2 ? world.retryIn(Duration.ofMinutes(1)) : Settlement.PUBLISHED)
                .toList();
    }

    /** Side rows of rows that are gone: retention, or a person, has taken them away. */
    static void addDead(TableWorld world) throws SQLException {
        switch (world.database.dialect()) {
            case POSTGRESQL -> world.database.execute("analyze");
            case MARIADB -> world.execute("alter table {claim} stats_auto_recalc = 0");
            case H2 -> {}
        }
        String type = world.layout.has(TableColumn.AGGREGATE_TYPE) ? "Thing" : "";
        String key = KeyHash.of((type + ":" + world.aggregateId("a")).getBytes(StandardCharsets.UTF_8));
        String numbers = switch (world.database.dialect()) {
            case POSTGRESQL -> "select n from generate_series(1, " + DEAD + ") n";
            case MARIADB -> "select seq as n from seq_1_to_" + DEAD;
            case H2 -> "select x as n from system_range(1, " + DEAD + ")";
        };
        for (String hash : List.of("'" + key + "'", "concat('other', n)")) {
            world.execute("insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts)"
                    + " select '" + world.layout.table() + "', concat('" + hash.charAt(1)
                    + "', n), " + hash + ", n, 'dead', false, 1 from (" + numbers + ") x");
        }
    }

    private static void requireFew(RowsRead reads, String what, int bound) {
        long rows = reads.take();
        assertThat(rows)
                .as("%s: rows read, most by %s", what, reads.costliest())
                .isLessThanOrEqualTo(bound);
    }
}
