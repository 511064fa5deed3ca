package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A backlog that is larger than the heap of the process that drains it. */
class HeapTest {
    private static final int EVENTS = 200_000;

    /**
     * A hundred events of 900 kB in a row and one in every thousand, 270 MB together; two thousand of 16 kB in a row, which
     * come along with their page; the rest are small. What is large is of random digits, so that no compression helps.
     */
    private static final String FILL = """
            with large as materialized (
                select n, string_agg(md5(n::text || i::text), '') as digits
                  from generate_series(0, 7) n, generate_series(1, 28125) i group by n)
            insert into waybill.event (type, aggregate_type, aggregate_id, aggregate_version, payload)
            select 'aggregate.changed.v1', case when g %% 2 = 0 then 'Order' else 'Payment' end, 'aggregate-' || g %% 500, g,
                   json_build_object('revision', g, 'note',
                       case when g between 100001 and 100100 or g %% 1000 = 0 then large.digits
                            when g between 150001 and 152000 then left(large.digits, 16000)
                            else 'small' end)
              from generate_series(1, %d) g join large on large.n = g %% 8 order by g""".formatted(EVENTS);

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
}
