package dev.waybill.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayGroup;
import dev.waybill.relay.RelayOptions;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.slf4j.LoggerFactory;

class LockedRegisterTest {
    @Test
    void a_process_that_cannot_see_others_says_for_which_relays_and_who_holds_the_lock() throws Exception {
        Logger watch = (Logger) LoggerFactory.getLogger("dev.waybill.relay.WatchProcesses");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        watch.addAppender(log);
        try (PostgresServer server = PostgresServer.start()) {
            DataSource source = server.dataSource(server.createDatabase("register"));
            try (Connection holder = source.getConnection();
                    Statement statement = holder.createStatement()) {
                JournalSchema.create(holder);
                holder.setAutoCommit(false);
                statement.execute("lock table waybill.process in access exclusive mode");
                try (RelayGroup group = RelayGroup.ofThisProcess();
                        Relay relay = Relay.named("shop")
                                .from(PostgresJournal.on(source))
                                .to(new InMemoryDestination())
                                .options(RelayOptions.defaults().lease(Duration.ofSeconds(2)))
                                .group(group)
                                .start()) {
                    Await.until("it is logged", () -> !List.copyOf(log.list).isEmpty());

                    assertThat(log.list.get(0).getFormattedMessage())
                            .contains(
                                    "shop",
                                    "55P03",
                                    "Locked by process "
                                            + holder.unwrap(PGConnection.class).getBackendPID())
                            .doesNotContain("PostgresJournal@");
                    assertThat(relay.isAlive()).isTrue();
                    holder.rollback();
                }
            }
        } finally {
            watch.detachAppender(log);
        }
    }
}
