package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.tck.memory.InMemoryDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs the Java examples of the page on outbox tables. */
class TableExamplesTest {
    private static PostgresServer server;

    private DataSource dataSource;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    @BeforeEach
    void createDatabase() {
        dataSource = server.dataSource(server.createDatabase("examples"));
    }

    @Test
    void a_table_that_is_there_is_relayed() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                InMemoryDestination destination = new InMemoryDestination()) {
            // snippet: table
            TableLayout layout = TableLayout.orders(); // the table `outbox`: NEW, SENT or FAILED
            TableSchema.create(connection, layout); // once; a table that is there is checked and left as it is

            JdbcOutbox outbox = JdbcOutbox.table(layout);
            Relay relay = Relay.named("orders")
                    .from(TableStore.on(dataSource, layout))
                    .to(destination)
                    .options(RelayOptions.of(layout.relayDefaults())) // 10 rows every 5 s, 5 retries
                    .start();
            // end
            try (relay) {
                connection.setAutoCommit(false);
                outbox.append(
                        connection,
                        Event.of("OrderCreated")
                                .aggregate("Order", UUID.randomUUID().toString())
                                .payload(Payload.json("{}")));
                connection.commit();
                awaitSent();
            }
        }
    }

    private void awaitSent() throws SQLException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!sent()) {
            assertThat(System.nanoTime()).as("the row became SENT").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private boolean sent() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from outbox where status = 'SENT' and sent_at is not null")) {
            row.next();
            return row.getInt(1) == 1;
        }
    }

    @Test
    void a_layout_of_ones_own_is_created_as_it_says() throws SQLException {
        // snippet: own-layout
        TableLayout layout = TableLayout.of("domain_events")
                .column(TableColumn.ID, "event_id", 100)
                .column(TableColumn.TYPE, "name", 255)
                .column(TableColumn.AGGREGATE_ID, "entity", 255)
                .aggregateType("Invoice") // every row is of this type: there is no column for it
                .column(TableColumn.PAYLOAD, "body")
                .payloadKind(TableLayout.PayloadKind.JSONB)
                .column(TableColumn.CREATED_AT, "recorded_at")
                .column(TableColumn.HEADERS, "metadata")
                .state(new TableState.Words("open", "done", Optional.of("failed")))
                .column(TableColumn.STATE, "state", 20)
                .column(TableColumn.ERROR, "failure")
                .build();
        // end
        try (Connection connection = dataSource.getConnection()) {
            assertThat(TableSchema.create(connection, layout)).isEqualTo(new TableSchema.Created(true, true));
            connection.setAutoCommit(false);
            JdbcOutbox.table(layout)
                    .append(
                            connection,
                            Event.of("invoice.paid")
                                    .aggregate("Invoice", "7")
                                    .payload(Payload.json("{}"))
                                    .header("trace", "1"));
            connection.commit();
        }
    }

    @Test
    void a_layout_may_delete_published_rows() {
        // snippet: deleting-layout
        TableLayout layout = TableLayout.orders()
                .change()
                .published(TableLayout.Published.DELETE)
                .build();
        // end
        assertThat(layout.deletesPublished()).isTrue();
    }

    @Test
    void a_preset_with_changes_is_what_one_has() throws SQLException {
        // snippet: changed-layout
        TableLayout layout = TableLayout.polyshop()
                .change()
                .table("shop", "outbox_events")
                .column(TableColumn.HEADERS, "metadata")
                .timesIn(ZoneOffset.UTC) // created_at is a timestamp without time zone
                .build();
        // end
        String script = TableSchema.script(layout, TableDialect.POSTGRESQL);
        assertThat(script)
                .contains("\"shop\".\"outbox_events\"", "\"metadata\" json", "\"created_at\" timestamp default");
    }

    @Test
    void several_processes_may_compete() {
        TableLayout layout = TableLayout.notifications();
        // snippet: competing
        TableStore store =
                TableStore.on(dataSource, layout, TableOptions.defaults().claiming(TableOptions.Claiming.COMPETING));
        // end
        assertThat(store).isNotNull();
    }
}
