package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Retention in steps, as a running relay calls it. */
class JournalRetentionTest extends JournalFixture {
    @Test
    void more_dead_events_than_one_step_covers_do_not_stop_the_steps_after_them() throws SQLException {
        Settlement dead = new Settlement.Dead("never", true, false);
        append("a1", "b1", "c1", "d1", "e1");
        try (RelaySession session = open()) {
            session.settle(
                    session.claim(PLENTY).orElseThrow(),
                    List.of(dead, dead, dead, Settlement.PUBLISHED, Settlement.PUBLISHED));
            assertThat(drain(session)).isEmpty();
        }

        PostgresJournal journal = journal();
        int steps = 1;
        while (steps < 10 && journal.purge(Duration.ZERO, 2)) {
            steps++;
        }

        assertThat(database.texts("select type from waybill.event order by seq"))
                .containsExactly("a1", "b1", "c1");
        assertThat(steps).isEqualTo(3);
    }
}
