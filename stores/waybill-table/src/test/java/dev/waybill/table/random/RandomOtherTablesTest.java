package dev.waybill.table.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.MariaDbServer;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.random.StoreReader;
import dev.waybill.testkit.random.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Outbox tables on MariaDB and H2 with writers whose commits are not in the order of their appends. */
class RandomOtherTablesTest {
    private static final int ATTEMPTS = 10;
    /** A new session starts at the beginning, which would hide rows that an old one overlooked. */
    private static final int READS = 10_000;

    private static MariaDbServer server;

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    /** One layout is ordered by a sequence, the other by the time of the append. */
    static Stream<Arguments> everywhere() {
        return Stream.of("MariaDB", "H2")
                .flatMap(database -> Stream.of("waybill", "pubsub").map(preset -> Arguments.of(database, preset)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void every_row_comes_once_and_in_order_per_key(String database, String preset) throws Exception {
        TableLayout layout = TableLayout.preset(preset);
        long seed = Seeds.one();
        Verdict verdict = new RandomCommits(create(database, layout), layout, seed)
                .read((source, random) -> new StoreReader(TableStore.on(source, layout), random, READS));

        System.out.println(database + ", " + preset + ", seed " + seed + ": " + verdict.summary());
        assertThat(verdict.exactlyOnceInOrder())
                .as("seed %d: %s", seed, verdict)
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MariaDB", "H2"})
    void a_reader_that_does_not_look_back_is_caught(String database) throws Exception {
        TableLayout layout = TableLayout.waybill();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Verdict verdict = new RandomCommits(create(database, layout), layout, Seeds.one())
                    .read((source, random) -> new PositionOnlyReader(source));
            if (!verdict.lost().isEmpty()) {
                return;
            }
        }
        throw new AssertionError("A broken reader came through " + ATTEMPTS + " runs: the test proves nothing.");
    }

    private static DataSource create(String database, TableLayout layout) throws SQLException {
        DataSource source = database.equals("H2") ? h2() : mariaDb();
        try (Connection connection = source.getConnection()) {
            TableSchema.create(connection, layout);
        }
        return source;
    }

    private static DataSource h2() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:random" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return source;
    }

    private static DataSource mariaDb() {
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed");
        if (server == null) {
            server = MariaDbServer.start();
        }
        return server.dataSource(server.createDatabase("random"));
    }
}
