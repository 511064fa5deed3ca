package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A page is read in two steps: the events, then the large columns of those that fit. */
class EventPageTest extends JournalFixture {
    private static final String ALL = "select " + EventPage.COLUMNS + " from waybill.event e order by e.seq";

    @Test
    void an_event_deleted_before_its_payload_is_fetched_is_left_out() throws SQLException {
        append("a1");
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'large', 'Thing', 'b', to_json(string_agg(md5(n::text), '')) from generate_series(1, 1000) n""");
        JournalConnection connection = JournalConnection.open(database.dataSource());
        try {
            EventPage page = EventPage.read(connection, columns -> connection.prepare(ALL), PLENTY, row -> {
                database.execute("delete from waybill.event where type = 'large'");
                return 0;
            });

            assertThat(page.rows())
                    .singleElement()
                    .satisfies(row -> assertThat(row.type()).hasToString("a1"));
            assertThat(page.lastSeq()).isEqualTo(2);
        } finally {
            connection.closeQuietly();
        }
    }
}
