package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FirstEventTest {
    private static final Limits MANY = new Limits(100, 1 << 20);

    @Test
    void the_first_event_ever_reaches_a_relay_that_waited_for_it() throws SQLException {
        JournalDatabase database = JournalDatabase.create();
        try (RelaySession session = PostgresJournal.on(database.dataSource())
                .open(new RelayName("first"), new OwnerId("test"), Duration.ofSeconds(60))
                .orElseThrow()) {
            assertThat(session.claim(MANY)).isEmpty();
            database.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                    + " values ('Counted', 'counter', 'a', '{}')");

            assertThat(session.claim(MANY).map(Batch::events).orElseThrow()).hasSize(1);
        }
    }
}
