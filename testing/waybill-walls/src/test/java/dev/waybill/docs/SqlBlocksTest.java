package dev.waybill.docs;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs every SQL block of the pages on a real journal and rolls it back. */
class SqlBlocksTest {
    private static PostgresServer server;
    private static String database;

    @BeforeAll
    static void start() throws SQLException {
        server = PostgresServer.start();
        database = server.createDatabase("pages");
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            JournalSchema.create(connection);
            statement.execute("create table orders (id text primary key, total int not null, state text)");
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> every_block_runs() {
        return Repository.here().pages().stream()
                .filter(page -> !page.isFollowed())
                .flatMap(page -> {
                    List<String> blocks = page.blocks("sql");
                    return blocks.stream()
                            .map(sql -> DynamicTest.dynamicTest(
                                    page.name() + ", block " + (blocks.indexOf(sql) + 1), () -> run(sql)));
                });
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = server.dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(sql);
            connection.rollback();
        }
    }
}
