package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.server.cli.JournalScene;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal of a million events with 10,000 dead ones: no answer reads it from end to end, neither the table nor an index. */
@Tag("full")
class LargeJournalTest {
    private static final int DEAD = 10_000;
    private static final int EVENTS = Integer.getInteger("waybill.large-journal", 1_000_000);

    @TempDir
    private Path directory;

    @Test
    void lists_of_a_large_journal_scan_no_table_of_events() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            JournalScene journal = JournalScene.create(server);
            String id = journal.append("order.placed", DEAD).get(0);
            journal.relay(
                    "main", place -> new Settlement.Dead("refused by " + place % 7 + " of " + place, true, false));
            journal.execute(
                    "insert into waybill.event (type, aggregate_type, aggregate_id, payload) select 'order.paid',"
                            + " 'Order', i::text, '{}' from generate_series(1, " + (EVENTS - DEAD) + ") i");
            journal.execute("vacuum analyze waybill.event");
            Reads before = Reads.of(journal);
            try (ServedApi api =
                    ServedApi.start(directory, "", """
                    stores:
                      orders: { type: postgres-journal, url: "%s", user: postgres }
                    destinations:
                      rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/" }
                    relays:
                      main: { store: orders, destination: rabbit }
                    """.formatted(journal.url().replaceFirst("[?].*", "")))) {
                Await.until(
                        "a sample",
                        () -> api.get("/api/overview", ServedApi.VIEWER).body().contains("\"backlog\""));
                String groups = timed(
                        "groups",
                        () -> api.get("/api/failures", ServedApi.VIEWER).body());
                assertThat(groups).contains("\"count\":\"10000\"", "refused by N of N");
                for (String path : List.of(
                        "/api/overview",
                        "/api/failures",
                        "/api/failures/orders/main/rows?state=dead",
                        "/api/events/orders/" + id,
                        "/api/audit",
                        "/api/replays",
                        "/api/relays/orders/main")) {
                    assertThat(timed(path, () -> api.get(path, ServedApi.VIEWER).body()))
                            .doesNotContain("\"code\"");
                }
                for (String search : List.of(
                        "{\"store\":\"orders\"}",
                        "{\"store\":\"orders\",\"relay\":\"main\",\"state\":\"dead\"}",
                        "{\"store\":\"orders\",\"type\":\"no.such.type\"}",
                        "{\"store\":\"orders\",\"aggregateId\":\"77\"}")) {
                    assertThat(timed(
                                    search,
                                    () -> api.post("/api/events/search", ServedApi.OPERATOR, search)
                                            .body()))
                            .contains("lookedAt");
                }
                String preview =
                        "{\"action\":\"requeue\",\"store\":\"orders\",\"relay\":\"main\",\"match\":{\"state\":\"dead\"}}";
                assertThat(timed(
                                "preview of 10,000",
                                () -> api.post("/api/actions/preview", ServedApi.OPERATOR, preview)
                                        .body()))
                        .contains("\"count\":\"10000\"");
                String group =
                        "{\"action\":\"discard\",\"store\":\"orders\",\"relay\":\"main\",\"match\":{\"state\":\"dead\","
                                + "\"type\":\"order.placed\",\"group\":\""
                                + groups.replaceFirst(".*\"group\":\"([^\"]*)\".*", "$1") + "\"}}";
                assertThat(timed(
                                "preview of a group",
                                () -> api.post("/api/actions/preview", ServedApi.OPERATOR, group)
                                        .body()))
                        .contains("\"count\":\"10000\"");
            }
            Reads all = Reads.of(journal);
            System.out.println("LargeJournalTest read by sequential scans: " + (all.scanned - before.scanned)
                    + " events, by indexes: " + (all.byIndex - before.byIndex));
            assertThat(all.scanned - before.scanned).isZero();
            // Four searches read at most 100,000 each, and every sample 10,000 of the backlog. One count would read
            // all.
            assertThat(all.byIndex - before.byIndex).isLessThan(EVENTS);
        }
    }

    private interface Call {
        String make() throws Exception;
    }

    private static String timed(String what, Call call) throws Exception {
        long begun = System.nanoTime();
        String answer = call.make();
        System.out.println("LargeJournalTest " + what + ": " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        return answer;
    }

    /** Entries of events that were read by sequential scans and by indexes. */
    private record Reads(long scanned, long byIndex) {
        /** A server process reports what it read before it disappears from the list of activities. */
        private static final String OTHERS =
                "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

        private static final String READS = """
                select t.seq_tup_read, (select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid)
                  from pg_stat_user_tables t where t.schemaname = 'waybill' and t.relname = 'event'""";

        static Reads of(JournalScene journal) throws Exception {
            try (Connection connection = journal.connect();
                    Statement statement = connection.createStatement()) {
                Await.until(
                        "all connections are closed",
                        () -> numbers(statement, OTHERS).get(0) == 0);
                List<Long> numbers = numbers(statement, READS);
                return new Reads(numbers.get(0), numbers.get(1));
            }
        }

        private static List<Long> numbers(Statement statement, String sql) throws Exception {
            try (ResultSet row = statement.executeQuery(sql)) {
                row.next();
                List<Long> numbers = new ArrayList<>();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    numbers.add(row.getLong(i));
                }
                return numbers;
            }
        }
    }
}
