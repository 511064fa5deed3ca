package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands on more events than one transaction changes. */
class ParkedCommandsTest extends JournalFixture {
    /** The ids in an audit entry. */
    private static final String IDS = "[0-9a-f-]{36}(, [0-9a-f-]{36}){99}";

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
        assertThat(admin.previewRequeue(RELAY, ALL_DEAD))
                .returns(2_200, RequeuePreview::found)
                .returns(2_200, RequeuePreview::late)
                .returns(true, RequeuePreview::exact);
        assertThat(admin.requeue(RELAY, ALL_DEAD, ANNA)).isEqualTo(2_200);
        assertThat(admin.audit(100))
                .extracting(entry -> entry.details().replaceFirst(IDS, "all ids"))
                .as("an entry for every hundred, newest first")
                .containsExactlyElementsOf(Stream.concat(
                                Collections.nCopies(22, "100 events (all ids); asked for: all dead").stream(),
                                Collections.nCopies(
                                        15,
                                        "100 events (all ids); asked for: all dead, type one, error contains \"broker\"")
                                        .stream())
                        .toList());
        assertThat(drain(open())).hasSize(2_200).containsOnly("two");
        assertThat(admin.purge(Duration.ZERO, ANNA)).isEqualTo(3_700);
        assertThat(database.number("select count(*) from waybill.discarded")).isZero();
    }

    /** The relay may send what is released between two steps. */
    @Test
    void events_that_wait_are_discarded_before_the_event_that_they_wait_for() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'one', 'Thing', 'same', '{}' from generate_series(1, 1100)""");
        open(PostgresJournal.on(database.dataSource(), options().start(JournalOptions.Start.NOW)))
                .close();
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, attempts, holds)
                select 'relay', seq, first_value(id) over (order by seq),
                       case when row_number() over (order by seq) = 1 then 'dead' else 'waiting' end, 0,
                       row_number() over (order by seq) = 1
                  from waybill.event""");
        StoreAdmin admin = journal().admin();
        List<String> ids = admin.parked(ParkedQuery.of(RELAY).atMost(2_000)).stream()
                .map(ParkedEvent::eventId)
                .toList();

        // Refuses to release an event.
        database.execute("alter table waybill.parked add constraint none_released check (state <> 'due')");
        try {
            assertThat(admin.discard(RELAY, Selection.of(ids), ANNA)).isEqualTo(1_100);
        } finally {
            database.execute("alter table waybill.parked drop constraint none_released");
        }
    }

    /** A discarded event lets the next of its key become due, which nobody has selected. */
    @Test
    void only_the_events_that_were_due_when_a_command_began_are_changed() throws SQLException {
        parkKeysWithFollowers();
        StoreAdmin admin = journal().admin();
        Selection due = Selection.all(ParkedState.DUE);

        assertThat(admin.previewRequeue(RELAY, due).found()).isEqualTo(1_000);
        assertThat(admin.requeue(RELAY, due, ANNA)).isEqualTo(1_000);
        assertThat(admin.previewDiscard(RELAY, due).found()).isEqualTo(5_000);

        database.empty();
        parkKeysWithFollowers();
        assertThat(admin.previewDiscard(RELAY, due).found()).isEqualTo(1_000);
        assertThat(admin.discard(RELAY, due, ANNA)).isEqualTo(1_000);
        assertThat(database.number("select count(*) from waybill.parked")).isEqualTo(4_000);
    }

    /** Of a thousand keys one event awaits its retry, and four wait behind it. */
    private void parkKeysWithFollowers() throws SQLException {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'one', 'Thing', (n % 1000)::text, '{}' from generate_series(1, 5000) n""");
        open(PostgresJournal.on(database.dataSource(), options().start(JournalOptions.Start.NOW)))
                .close();
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, attempts, next_attempt_at)
                select 'relay', seq, md5(aggregate_id)::uuid, case when n <= 1000 then 'due' else 'waiting' end, 1,
                       case when n <= 1000 then now() + interval '1 hour' end
                  from (select *, row_number() over (order by seq) n from waybill.event) e""");
    }

    /** The step with the first event waits for its locked row, while the relay looks for events to send. */
    @Test
    void events_of_a_key_are_requeued_in_their_order_whatever_the_order_of_the_ids() throws Exception {
        database.execute("""
                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                select 'e' || n, 'Thing', 'same', '{}' from generate_series(1, 1100) n""");
        RelaySession session = open();
        Batch batch = session.claim(new Limits(1_100, 100_000_000)).orElseThrow();
        session.settle(batch, Collections.nCopies(1_100, new Settlement.Dead("no", true, false)));
        clock().advance(Duration.ofSeconds(1));
        assertThat(drain(session)).as("and its position is saved").isEmpty();
        List<String> newestFirst = database.texts("select id::text from waybill.event order by seq desc");
        List<String> sent = new ArrayList<>();
        Connection other = begin();
        try (Statement statement = other.createStatement()) {
            statement.execute("select from waybill.parked"
                    + " where seq = (select seq from waybill.event where type = 'e1') for update");
            CompletableFuture<Integer> requeue = CompletableFuture.supplyAsync(
                    () -> journal().admin().requeue(RELAY, Selection.of(newestFirst), ANNA));
            database.awaitWaiting(1);
            clock().advance(Duration.ofSeconds(1));
            Optional<Batch> meanwhile = session.claim(PLENTY);
            other.rollback();
            assertThat(requeue.get(1, TimeUnit.MINUTES)).isEqualTo(1_100);
            meanwhile.ifPresent(some -> {
                sent.addAll(names(some));
                publish(session, some);
            });
        }
        for (int i = 0; i < 3; i++) {
            clock().advance(Duration.ofSeconds(1));
            sent.addAll(drain(session));
        }
        assertThat(sent)
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 1_100).mapToObj(n -> "e" + n).toList());
    }
}
