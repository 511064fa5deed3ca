package dev.waybill.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.table.TableSchema;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.util.Collections;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

/** What the user of a store may do, who is a role of its own as the documentation says. */
class PrivilegesTest {
    private static final String ROLE = "connect_relay";

    @Test
    void a_task_has_enough_with_those_of_a_relay_and_a_reset_needs_those_of_an_operator_too() throws Exception {
        Journal journal = new Journal();
        journal.execute("create role " + ROLE + " login");
        Map<String, String> configuration = journal.configuration();
        configuration.put("store.user", ROLE);
        try (Connection connection = journal.connect()) {
            JournalSchema.grant(connection, DatabaseRoles.NONE.relay(ROLE));
        }
        journal.append("a", 1);
        Map<String, ?> partition;
        try (Worker worker = new Worker(configuration, true)) {
            worker.commitUntil(1);
            partition = worker.partitions().get(0);
            worker.restart(false);
            journal.append("a", 2);
            worker.commitUntil(2);
            assertThat(worker.values()).containsExactly("1", "2");
        }
        WaybillSourceConnector connector = new WaybillSourceConnector();
        Map<Map<String, ?>, Map<String, ?>> reset = Collections.singletonMap(partition, null);
        assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> connector.alterOffsets(configuration, reset))
                .withMessageContaining("permission");
        assertThat(journal.backlog()).isZero();

        try (Connection connection = journal.connect()) {
            // Those of an operator alone would take away those of the relay.
            JournalSchema.grant(connection, DatabaseRoles.NONE.relay(ROLE).operator(ROLE));
        }
        assertThat(connector.alterOffsets(configuration, reset)).isTrue();
        assertThat(journal.backlog()).isEqualTo(2);
    }

    /** As {@code waybill init --layout debezium --relay ROLE} does it, which knows nothing of the sequence. */
    @Test
    void a_table_of_debezium_needs_its_side_tables_and_the_privileges_of_a_relay() throws Exception {
        Journal database = new Journal();
        database.execute("create role " + ROLE + "_of_table login");
        database.execute("""
                create table outbox (id uuid primary key, aggregatetype text not null, aggregateid text not null,
                  type text not null, payload jsonb)""");
        database.execute("alter table outbox add column seq bigint generated always as identity unique");
        try (Connection connection = database.connect()) {
            TableLayout layout = TableLayout.preset("debezium");
            TableSchema.create(connection, layout);
            TableSchema.grant(connection, layout, DatabaseRoles.NONE.relay(ROLE + "_of_table"));
        }
        database.execute("insert into outbox values (gen_random_uuid(), 'order', '1', 'OrderCreated', '{\"id\": 1}')");
        Map<String, String> configuration = database.configuration();
        configuration.putAll(Map.of(
                "store.user", ROLE + "_of_table",
                "store.type", "table",
                "store.layout", "debezium",
                "store.layout.columns.sequence", "seq",
                "format", "debezium",
                "route.template", "outbox.event.{aggregateType}"));
        try (Worker worker = new Worker(configuration, false)) {
            worker.commitUntil(1);
            SourceRecord record = worker.committed().get(0);
            assertThat(record.topic()).isEqualTo("outbox.event.order");
            assertThat(record.value()).isEqualTo("{\"id\": 1}");
            Await.until("the row is deleted", () -> {
                worker.pollOnce();
                return database.texts("select id from outbox").isEmpty();
            });
        }
    }
}
