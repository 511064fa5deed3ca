package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** However large the events are, a claim brings no more than it was asked for. */
class PageSizeTest extends JournalFixture {
    @Test
    void large_payloads_among_small_ones_come_whole_in_order_and_within_the_limit() throws SQLException {
        database.execute("insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                + " select 'e' || g, 'X', g::text, to_json(repeat('x', case when g % 3 = 0 then 300000 else g end))"
                + " from generate_series(1, 300) g");
        RelaySession session = open();
        Limits limits = new Limits(500, 5_000_000);
        List<String> came = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(limits); batch.isPresent(); batch = session.claim(limits)) {
            long bytes = batch.get().events().stream()
                    .mapToLong(event -> event.payload().length)
                    .sum();
            assertThat(bytes).isPositive().isLessThanOrEqualTo(limits.bytes());
            batch.get()
                    .events()
                    .forEach(
                            event -> assertThat(event.payload()).startsWith('"').endsWith('"'));
            came.addAll(names(batch.get()));
            publish(session, batch.get());
        }
        assertThat(came).hasSize(300).doesNotHaveDuplicates().first().isEqualTo("e1");
        assertThat(came.get(299)).isEqualTo("e300");
    }
}
