package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Drains a backlog that is larger than the heap of the process. */
class HeapTest {
    private static final int EVENTS = 60_000;

    /**
     * A hundred consecutive events of 900 kB and one in every three hundred, 270 MB together; two thousand consecutive ones
     * of 16 kB, which are read with their page; the rest are small. Large payloads are random digits, so that
     * compression does not help.
     */
    private static final String FILL = """
            with large as materialized (
                select n, string_agg(md5(n::text || i::text), '') as digits
                  from generate_series(0, 7) n, generate_series(1, 28125) i group by n)
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload)
            select 'aggregate.changed.v1', case when g %% 2 = 0 then 'Order' else 'Payment' end, 'aggregate-' || g %% 500, g,
                   json_build_object('revision', g, 'note',
                       case when g between 30001 and 30100 or g %% 300 = 0 then large.digits
                            when g between 45001 and 47000 then left(large.digits, 16000)
                            else 'small' end)
              from generate_series(1, %d) g join large on large.n = g %% 8 order by g""".formatted(EVENTS);

    private static final String LARGE_HEADERS = """
            drop trigger event_is_storable on waybill.event;
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload, headers)
            select 'aggregate.changed.v1', case when g % 2 = 0 then 'Order' else 'Payment' end, 'aggregate-' || g % 500, g,
                   json_build_object('revision', g), jsonb_build_object('note', repeat(md5(g::text), 6250))
              from generate_series(1, 1400) g""";

    private static final String LARGER_THAN_A_MESSAGE = """
            insert into waybill.event (type, aggregate_type, aggregate_id, payload, payload_bytes, content_type, headers)
            values ('too.large.payload', 'Order', 'large', to_json(repeat('x', 200000000)), null, null, null),
                   ('too.large.content.type', 'Order', 'large', null, 'x', repeat('x', 60000000), null),
                   ('too.large.headers', 'Order', 'large', '{}', null, null, jsonb_build_object('h', repeat('x', 30000000)))""";

    /** 250 MB together: more than the heap, if only the number of events in flight were limited. */
    private static final String MANY_HEADERS = """
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload, headers)
            select 'aggregate.changed.v1', case when g % 2 = 0 then 'Order' else 'Payment' end, 'aggregate-' || g % 500, g,
                   json_build_object('revision', g), jsonb_build_object('note', repeat(md5(g::text), 1000))
              from generate_series(1, 8000) g""";

    @Tag("full")
    @Test
    void a_backlog_larger_than_the_heap_is_drained() throws Exception {
        try (Trial trial = Trial.begin("heap")) {
            RelaySettings settings = trial.relay("orders");
            trial.database().execute(FILL);
            trial.say(EVENTS + " events appended");
            RelayChild process = trial.start(settings);
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, new WriterLog());
            trial.end(process);

            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().committed()).isEqualTo(EVENTS);
            assertThat(trial.database().everParked(settings.relay())).isZero();
        }
    }

    /** Such rows may have existed before the constraints. */
    @Tag("full")
    @Test
    void large_headers_are_delivered_and_what_no_message_can_hold_is_dead() throws Exception {
        try (Trial trial = Trial.begin("heap-headers")) {
            RelaySettings settings = trial.relay("orders");
            trial.database().execute(LARGE_HEADERS);
            trial.database().execute(LARGER_THAN_A_MESSAGE);
            RelayChild process = trial.start(settings);
            trial.awaitDrained(settings);
            List<ParkedEvent> dead =
                    trial.database().journal().admin().parked(ParkedQuery.of(new RelayName(settings.relay())));
            dead.forEach(event -> trial.say("dead: " + event.error().orElse("")));
            trial.database().execute("delete from waybill.event where type like 'too.large%'");
            Trial.Outcome outcome = trial.judge(settings, new WriterLog());
            trial.end(process);

            assertThat(dead).hasSize(3).allSatisfy(event -> {
                assertThat(event.state()).isEqualTo(ParkedState.DEAD);
                assertThat(event.attempts()).isZero();
                assertThat(event.error().orElse(""))
                        .contains("bytes, but the destination accepts at most 1048576", "requeue");
            });
            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().committed()).isEqualTo(1_400);
        }
    }

    @Tag("full")
    @Test
    void headers_count_among_the_bytes_that_a_slow_broker_has_not_acknowledged() throws Exception {
        try (Trial trial = Trial.begin("heap-slow")) {
            RelaySettings settings = trial.relay("orders").withFlaw(Flaw.SLOW);
            trial.database().execute(MANY_HEADERS);
            RelayChild process = trial.start(settings);
            trial.awaitDrained(settings);
            Trial.Outcome outcome = trial.judge(settings, new WriterLog());
            trial.end(process);

            assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
            assertThat(outcome.verdict().committed()).isEqualTo(8_000);
        }
    }
}
