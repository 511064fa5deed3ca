package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** Journals and tables on a worker without transactions. */
class AtLeastOnceTaskTest {
    @Test
    void what_was_not_acknowledged_is_sent_again_by_the_next_task() {
        Journal journal = new Journal();
        IntStream.range(0, 20).forEach(i -> journal.append("a", i));
        try (Worker worker = new Worker(journal.configuration(), false)) {
            List<SourceRecord> records = worker.poll();
            assertThat(records).hasSize(20);
            // In any order, as several partitions do.
            worker.tell(records.get(7));
            worker.tell(records.get(3));
            worker.restart();
            worker.commitUntil(20);
            assertThat(worker.values())
                    .containsExactlyElementsOf(
                            IntStream.range(0, 20).mapToObj(Integer::toString).toList());
        }
    }

    @Test
    void what_was_acknowledged_is_not_sent_again() throws Exception {
        Journal journal = new Journal();
        journal.append("a", 1);
        try (Worker worker = new Worker(journal.configuration(), false)) {
            worker.commitUntil(1);
            ObjectName bean = new ObjectName("dev.waybill.connect:type=task,relay=\"orders\",store=\"store\"");
            Await.until(
                    "the event is counted",
                    () -> ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(bean, "Published")
                            .equals(1L));
            worker.restart();
            journal.append("a", 2);
            worker.commitUntil(2);
            assertThat(worker.values()).containsExactly("1", "2");
        }
    }

    @Test
    void a_task_that_ends_late_leaves_the_numbers_of_its_successor() throws Exception {
        Journal journal = new Journal();
        ObjectName bean = new ObjectName("dev.waybill.connect:type=task,relay=\"orders\",store=\"store\"");
        Worker late = new Worker(journal.configuration(), false);
        try (Worker successor = new Worker(journal.configuration(), false)) {
            late.close();
            assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(bean))
                    .isTrue();
            successor.pollOnce();
        }
        assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(bean))
                .isFalse();
    }

    @Test
    void what_can_never_be_sent_is_dead_and_the_task_continues() {
        Journal journal = new Journal();
        Map<String, String> configuration = journal.configuration();
        configuration.put("route.by", "stored-topic");
        journal.append(Event.of(Journal.TYPE)
                .aggregate("order", "1")
                .payload(Payload.json("1"))
                .topic("orders/eu"));
        try (Worker worker = new Worker(configuration, false)) {
            Await.until("the event is dead", () -> {
                assertThat(worker.pollOnce()).isEmpty();
                return journal.dead().size() == 1;
            });
            journal.append(Event.of(Journal.TYPE)
                    .aggregate("order", "1")
                    .payload(Payload.json("2"))
                    .topic("orders"));
            worker.commitUntil(1);
            assertThat(worker.values()).containsExactly("2");
        }
    }

    @Test
    void rows_of_a_table_are_marked_when_their_records_are_committed() throws SQLException {
        String database = SharedPostgres.server().createDatabase("table");
        TableLayout layout = TableLayout.waybill();
        try (Connection connection =
                SharedPostgres.server().dataSource(database).getConnection()) {
            TableSchema.create(connection, layout);
            connection.setAutoCommit(false);
            JdbcOutbox outbox = JdbcOutbox.table(layout);
            for (int i = 0; i < 5; i++) {
                outbox.append(
                        connection,
                        Event.of(Journal.TYPE).aggregate("order", "1").payload(Payload.json(Integer.toString(i))));
            }
            connection.commit();
        }
        Map<String, String> configuration = new Journal().configuration();
        configuration.put("store.url", SharedPostgres.server().jdbcUrl(database));
        configuration.put("store.type", "table");
        configuration.put("store.layout", "waybill");
        for (boolean transactional : List.of(false, true)) {
            try (Worker worker = new Worker(configuration, transactional)) {
                if (!transactional) {
                    assertThat(worker.poll()).hasSize(5);
                    worker.restart();
                    worker.commitUntil(5);
                    assertThat(worker.values()).containsExactly("0", "1", "2", "3", "4");
                    Await.until("the rows are marked", () -> {
                        worker.pollOnce();
                        return unpublished(database, layout) == 0;
                    });
                } else {
                    assertThat(worker.pollOnce()).isEmpty();
                }
            }
        }
    }

    @Test
    void a_row_whose_text_is_not_json_is_dead_in_a_format_that_needs_it_and_the_rest_flows() throws SQLException {
        String database = SharedPostgres.server().createDatabase("texts");
        try (Connection connection =
                        SharedPostgres.server().dataSource(database).getConnection();
                Statement statement = connection.createStatement()) {
            TableSchema.create(connection, TableLayout.preset("orders"));
            statement.execute(
                    "insert into outbox (id, aggregate_type, aggregate_id, event_type, payload, status, created_at)"
                            + " select gen_random_uuid(), 'Order', gen_random_uuid(), 'order.placed', text, 'NEW', localtimestamp"
                            + " from unnest(array['{\"order\": ', '1', '2} , \"more\": {']) as text");
        }
        Map<String, String> configuration = new Journal().configuration();
        configuration.put("store.url", SharedPostgres.server().jdbcUrl(database));
        configuration.put("store.type", "table");
        configuration.put("store.layout", "orders");
        configuration.put("format", "envelope");
        configuration.put("source", "shop");
        try (Worker worker = new Worker(configuration, false)) {
            worker.commitUntil(1);
            assertThat(worker.values()).singleElement().asString().contains("\"data\":1");
            Await.until("the others are dead", () -> {
                worker.pollOnce();
                return failed(database) == 2;
            });
        }
    }

    private static long failed(String database) throws SQLException {
        return count(database, "select count(*) from outbox where status = 'FAILED'");
    }

    private static long unpublished(String database, TableLayout layout) throws SQLException {
        return count(database, "select count(*) from " + layout.tableName() + " where published_at is null");
    }

    private static long count(String database, String query) throws SQLException {
        try (Connection connection =
                        SharedPostgres.server().dataSource(database).getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
