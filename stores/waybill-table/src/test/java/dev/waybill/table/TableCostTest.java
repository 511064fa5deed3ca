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
import dev.waybill.table.rows.SideRow;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.RowsRead;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The rows that a claim, a settlement, a renewal and a step of the sweep read do not grow with dead rows: 20,000 dead side rows
 * of the key that the relay works on, and as many of other keys. The statistics are from when the side table was empty.
 */
class TableCostTest {
    private static final int DEAD = 20_000;
    private static final int BATCH = 100;
    /** Most rows and index entries read for a batch of 100. */
    private static final int BOUND = 40 * BATCH;
    /** A step of the sweep reads a page of dead side rows, a page of pending rows, and each row of them. */
    private static final int SWEEP_BOUND = 20_000;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.presets();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    @Tag("full")
    void cost_does_not_grow_with_dead_rows_in_any_layout(TableDialect dialect, String preset) throws SQLException {
        requireFewReads(dialect, preset);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void cost_does_not_grow_with_dead_rows(TableDialect dialect) throws SQLException {
        requireFewReads(dialect, "notifications");
    }

    @Test
    void failed_rows_with_the_same_outcome_are_updated_by_one_statement() throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.preset("waybill"))) {
            append(fixture);
            ExplainedStatements statements = new ExplainedStatements(fixture.database.dataSource());
            try (RelaySession session = fixture.store(statements.dataSource())
                    .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                    .orElseThrow()) {
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                Settlement retry = fixture.retryIn(Duration.ofMinutes(1));
                Settlement dead = new Settlement.Dead("refused", true, false);
                statements.take();
                session.settle(
                        batch,
                        IntStream.range(0, BATCH)
                                .mapToObj(i -> i % 2 == 0 ? retry : dead)
                                .toList());

                assertThat(statements.take())
                        .filteredOn(one -> one.sql().contains("last_error"))
                        .hasSize(2);
            }
        }
    }

    /** On PostgreSQL the indexes of some layouts end with the time. */
    static Stream<Arguments> withTheRowInTheIndex() {
        return TablesContractTest.presets().filter(place -> place.get()[0] != TableDialect.POSTGRESQL);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("withTheRowInTheIndex")
    void a_claim_does_not_read_all_rows_of_one_time(TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            fixture.append("a");
            fixture.multiply(2 * BOUND);
            RowsRead reads = new RowsRead(fixture.database);
            try (RelaySession session = open(fixture, reads)) {
                reads.take();
                Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
                assertThat(batch.events()).hasSize(BATCH);
                requireFew(reads, "claiming", BOUND);
            }
        }
    }

    private static void requireFewReads(TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            addDead(fixture);
            RowsRead reads = new RowsRead(fixture.database);
            requireFewReads(fixture, reads);
            fixture.with(options -> options.claiming(TableOptions.Claiming.COMPETING));
            requireFewReadsCompeting(fixture, reads);
        }
    }

    private static void requireFewReads(TableFixture fixture, RowsRead reads) throws SQLException {
        try (RelaySession session = open(fixture, reads)) {
            append(fixture);
            analyzeTable(fixture);
            requireFew(reads, "opening", BOUND);
            Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
            assertThat(batch.events()).hasSize(BATCH);
            requireFew(reads, "claiming", BOUND);
            session.settle(batch, settlements(fixture, batch));
            requireFew(reads, "settling", BOUND);
            fixture.clock.advance(Duration.ofHours(1));
            Batch retries = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
            assertThat(retries.events()).hasSize(2);
            requireFew(reads, "claiming a retry", BOUND);
            TableFixture.publish(session, retries);
            requireFew(reads, "settling a retry", BOUND);
            assertThat(session.renew()).isTrue();
            requireFew(reads, "renewing", BOUND);
            fixture.passNanos(Duration.ofSeconds(61));
            for (int i = 0; i < 5; i++) {
                session.claim(new Limits(BATCH, 10_000_000));
                requireFew(reads, "a step of the sweep", SWEEP_BOUND);
            }
        }
    }

    private static void requireFewReadsCompeting(TableFixture fixture, RowsRead reads) throws SQLException {
        try (RelaySession session = open(fixture, reads)) {
            append(fixture);
            analyzeTable(fixture);
            reads.take();
            Batch batch = session.claim(new Limits(BATCH, 10_000_000)).orElseThrow();
            assertThat(batch.events()).hasSize(BATCH);
            requireFew(reads, "claiming", BOUND);
            assertThat(session.renew()).isTrue();
            requireFew(reads, "renewing", BOUND);
            TableFixture.publish(session, batch);
            requireFew(reads, "settling", BOUND);
        }
        requireFew(reads, "closing", BOUND);
    }

    private static RelaySession open(TableFixture fixture, RowsRead reads) {
        return fixture.store(reads.dataSource())
                .open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                .orElseThrow();
    }

    private static void append(TableFixture fixture) throws SQLException {
        for (int i = 0; i < BATCH; i++) {
            fixture.append(i % 2 == 0 ? "a" : "k" + i);
        }
    }

    /** The database knows the size of the table, and estimates the side table to be empty. */
    static void analyzeTable(TableFixture fixture) throws SQLException {
        if (fixture.database.dialect() == TableDialect.MARIADB) {
            fixture.execute("analyze table {table}");
        }
    }

    /** The last row of the key and one other wait for a retry. */
    private static List<Settlement> settlements(TableFixture fixture, Batch batch) {
        return IntStream.range(0, batch.events().size())
                .<Settlement>mapToObj(
                        i -> i == 1 || i == BATCH - 2 ? fixture.retryIn(Duration.ofMinutes(1)) : Settlement.PUBLISHED)
                .toList();
    }

    /** Side rows of rows that no longer exist. */
    static void addDead(TableFixture fixture) throws SQLException {
        switch (fixture.database.dialect()) {
            case POSTGRESQL -> fixture.database.execute("analyze");
            case MARIADB -> fixture.execute("alter table {claim} stats_auto_recalc = 0");
            case H2 -> {}
        }
        String type = fixture.layout.has(TableColumn.AGGREGATE_TYPE) ? "Thing" : "";
        String key = SideRow.hash((type + ":" + fixture.aggregateId("a")).getBytes(StandardCharsets.UTF_8));
        String numbers = switch (fixture.database.dialect()) {
            case POSTGRESQL -> "select n from generate_series(1, " + DEAD + ") n";
            case MARIADB -> "select seq as n from seq_1_to_" + DEAD;
            case H2 -> "select x as n from system_range(1, " + DEAD + ")";
        };
        for (String hash : List.of("'" + key + "'", "concat('other', n)")) {
            fixture.execute("insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts)"
                    + " select '" + fixture.layout.table() + "', concat('" + hash.charAt(1)
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
