package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.Replay;
import dev.waybill.tck.memory.InMemoryDestination;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the Java examples of the replay page. */
@Timeout(120)
class ReplayExamplesTest {

    @Test
    void an_order_of_this_hour_is_sent_again() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                InMemoryDestination kafka = new InMemoryDestination()) {
            DataSource dataSource = server.dataSource(server.createDatabase("examples"));
            append(dataSource);
            PostgresJournal journal = PostgresJournal.on(dataSource);
            RelayPlan plan = Relay.named("orders").from(journal).to(kafka);
            Instant noon = Instant.now().minus(Duration.ofMinutes(30));
            // snippet: replay
            ReplayAdmin replays = journal.replays(); // a TableStore has them too
            ReplayQuery query = ReplayQuery.EVERYTHING
                    .from(noon)
                    .until(noon.plus(Duration.ofHours(6)))
                    .aggregateType("Order")
                    .aggregateId("4711");
            ReplaySize size = replays.preview(query); // how many it would send

            RelayName name = new RelayName("orders-again");
            replays.start(name, query, new Actor("anna", "the search index was lost"));
            RelayPlan slowly = plan // a destination of its own: a relay that runs keeps its destination to itself
                    .options(RelayOptions.defaults().rate(2_000));
            try (Replay replay = Replay.run(name, replays, slowly)) {
                while (!replay.awaitEnd(Duration.ofSeconds(1))) {
                    System.out.println(replay.status().map(ReplayStatus::counts));
                }
            }
            // end
            assertThat(size).isEqualTo(new ReplaySize(1, true));
            assertThat(kafka.delivered()).hasSize(1);
        }
    }

    private static void append(DataSource dataSource) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            JournalSchema.create(connection);
            connection.setAutoCommit(false);
            for (String order : new String[] {"4711", "4712"}) {
                Event placed =
                        Event.of("order.placed.v1").aggregate("Order", order).payload(Payload.json("{}"));
                JdbcOutbox.journal().append(connection, placed);
            }
            connection.commit();
        }
    }
}
