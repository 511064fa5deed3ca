package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.MariaDbServer;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.ChildJvm;
import dev.waybill.testkit.SharedMariaDb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Many rows of a closed key precede rows of other keys, which are published. */
class ClosedKeyTest {
    private static final int OTHERS = 20;

    @TempDir
    Path directory;

    /** A database and its URL for another process. */
    private record Place(LayoutDatabase database, String url) {}

    static Stream<Arguments> everywhere() {
        return TablesContractTest.presets().filter(place -> place.get()[0] != TableDialect.POSTGRESQL);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void rows_of_a_closed_key_do_not_hide_other_rows(TableDialect dialect) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.orders())) {
            close(fixture, 1_000, "{}");
            RelaySession session = fixture.open("one");
            Settlement published = Settlement.PUBLISHED;
            for (int i = 0; i < OTHERS; i++) {
                String other = fixture.append("b" + i);
                Batch batch =
                        session.claim(new dev.waybill.spi.Limits(10, 1_000_000)).orElseThrow();
                assertThat(TableFixture.ids(batch)).containsExactly(other);
                session.settle(batch, List.of(published));
            }
            fixture.clock.advance(Duration.ofDays(2));
            assertThat(TableFixture.drain(session)).hasSize(1_000);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    @Tag("full")
    void even_150_000_rows_of_a_closed_key_do_not_hide_others_in_a_small_heap(TableDialect dialect, String preset)
            throws Exception {
        flowBeside(dialect, preset, 150_000, "{}");
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    @Tag("full")
    void even_75_000_large_rows_of_a_closed_key_do_not_hide_others_in_a_small_heap(TableDialect dialect, String preset)
            throws Exception {
        assumeTrue(List.of("orders", "waybill").contains(preset), "two layouts speak for the others");
        flowBeside(dialect, preset, 75_000, "{\"text\":\"" + "x".repeat(12_000) + "\"}");
    }

    private void flowBeside(TableDialect dialect, String preset, int rows, String payload) throws Exception {
        Place place = place(dialect);
        try (TableFixture fixture = new TableFixture(place.database, TableLayout.preset(preset))) {
            close(fixture, rows, payload);
            for (int i = 0; i < OTHERS; i++) {
                fixture.append("b");
            }
            assertThat(count(fixture)).isEqualTo(rows + OTHERS);
            if (dialect == TableDialect.H2) {
                fixture.database.execute("shutdown");
            }
            String said = runInSmallHeap(place.url, preset);
            System.out.println(dialect + ", " + preset + ", beside " + rows + " rows of a closed key with "
                    + payload.length() + " bytes: " + said);
            assertThat(said).contains("published " + OTHERS + " ");
            assertThat(count(fixture)).isEqualTo(rows + OTHERS);
            if (dialect == TableDialect.H2) {
                fixture.database.execute("shutdown");
            }
        }
    }

    /** Counts rows that the relay may not have found. */
    private static long count(TableFixture fixture) throws SQLException {
        String all =
                new LayoutNames(fixture.layout, fixture.database.dialect()).in("select count(*) as n from {table}");
        return ((Number) fixture.database.rows(all).get(0).get("n")).longValue();
    }

    /** The first row of the key waits for a day. */
    private static void close(TableFixture fixture, int rows, String payload) throws SQLException {
        try (Connection connection = fixture.database.begin()) {
            JdbcOutbox.table(fixture.layout)
                    .append(
                            connection,
                            Event.of("thing.happened.v1")
                                    .aggregate("Thing", fixture.aggregateId("a"))
                                    .payload(Payload.json(payload)));
            connection.commit();
        }
        try (RelaySession session = fixture.store()
                .open(TableFixture.RELAY, new dev.waybill.spi.OwnerId("before"), TableFixture.LEASE)
                .orElseThrow()) {
            Batch first = session.claim(TableFixture.PLENTY).orElseThrow();
            session.settle(first, Collections.nCopies(1, fixture.retryIn(Duration.ofDays(1))));
        }
        fixture.multiply(rows);
    }

    private Place place(TableDialect dialect) {
        if (dialect == TableDialect.H2) {
            JdbcDataSource source = new JdbcDataSource();
            String url = "jdbc:h2:file:" + directory.resolve("tables") + ";LOCK_TIMEOUT=10000";
            // Otherwise every statement here would open the file, compact it and close it.
            source.setURL(url + ";DB_CLOSE_DELAY=-1");
            return new Place(new LayoutDatabase(TableDialect.H2, source), url);
        }
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed");
        String name = SharedMariaDb.server().createDatabase("tables");
        return new Place(
                new LayoutDatabase(TableDialect.MARIADB, SharedMariaDb.server().dataSource(name)),
                SharedMariaDb.server().jdbcUrl(name));
    }

    private static String runInSmallHeap(String url, String preset) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        ChildJvm.heap(256).command(SmallHeapRelay.class, List.of(url, preset, String.valueOf(OTHERS))))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }
}
