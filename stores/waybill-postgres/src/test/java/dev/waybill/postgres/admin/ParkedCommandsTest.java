package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Commands on more events than one transaction changes. */
class ParkedCommandsTest extends JournalFixture {
    /** The ids in an audit entry: twenty, and the number of the others. */
    private static final String IDS = "(?:[0-9a-f-]{36}(?:, | and )){20}(\\d+) more";

    private static final Actor ANNA = new Actor("anna", "the broker is mended");
    private static final Selection ALL_DEAD = Selection.all(ParkedState.DEAD);

    @Test
    void dead_events_are_requeued_and_discarded_in_steps() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select case when n <= 1500 then 'one' else 'two' end, 'Thing', n::text, '{}'
                  from generate_series(1, 3700) n""");
        open(PostgresJournal.on(database.dataSource(), options().start(JournalOptions.Start.NOW)))
                .close();
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, attempts, error)
                select 'relay', seq, id, 'dead', 10, 'the broker said no' from waybill.event""");
        StoreAdmin admin = journal().admin();
        Selection ones = new Selection.Matching(ParkedState.DEAD, EventFilter.ALL.type("one"), Optional.of("broker"));

        assertThat(admin.previewDiscard(RELAY, ones).found()).isEqualTo(1_500);
        assertThat(admin.discard(RELAY, ones, ANNA)).isEqualTo(1_500);
        assertThat(admin.previewRequeue(RELAY, ALL_DEAD)).isEqualTo(new RequeuePreview(2_200, 2_200, true));
        assertThat(admin.requeue(RELAY, ALL_DEAD, ANNA)).isEqualTo(2_200);
        assertThat(admin.audit(10))
                .extracting(entry -> entry.details().replaceFirst(IDS, "$1 more"))
                .as("an entry for each step, newest first")
                .containsExactly(
                        "200 events (180 more); asked for: all dead",
                        "1000 events (980 more); asked for: all dead",
                        "1000 events (980 more); asked for: all dead",
                        "500 events (480 more); asked for: all dead, type one, error contains \"broker\"",
                        "1000 events (980 more); asked for: all dead, type one, error contains \"broker\"");
        assertThat(drain(open())).hasSize(2_200).containsOnly("two");
        assertThat(admin.purge(Duration.ZERO, ANNA)).isEqualTo(3_700);
        assertThat(database.number("select count(*) from waybill.discarded")).isZero();
    }
}
