package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory.State;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.testkit.AdminCost;
import dev.waybill.testkit.ExplainedStatements;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * 400,000 events, of which one relay has published all but 10,000 that are dead, and another none. Every query of an operator
 * touches a bounded number of pages, however large the journal is.
 */
class JournalAdminPlansTest extends JournalFixture {
    private static final int EVENTS = 400_000;
    private static final int DEAD = 10_000;
    private static final RelayName LAGGING = new RelayName("lagging");
    /** Pages of the range that one listing may read: 100,000 small events, and their index. */
    private static final long RANGE = 4_000;

    private final ExplainedStatements statements = new ExplainedStatements(database.dataSource());
    private final StoreAdmin admin = PostgresJournal.on(database.dataSource()).admin();
    private final AdminCost cost = new AdminCost(
            "journal", admin, PostgresJournal.on(statements.dataSource()).admin(), statements);

    @BeforeAll
    void publishManyEvents() throws Exception {
        journal().open(LAGGING, OWNER, LEASE).orElseThrow().close();
        database.execute("""
                do $$ begin
                    for i in 0..%d loop
                        insert into waybill.event (type, aggregate_type, aggregate_id, payload, created_at)
                        select case when (i * 10000 + n) %% 100000 = 7 then 'rare' else 'common' end,
                               'Thing', ((i * 10000 + n) / 10)::text, '{"n": 1}',
                               timestamptz '2026-01-01 00:00:00Z' + (i * 10000 + n) * interval '1 second'
                          from generate_series(1, 10000) n;
                        commit;
                    end loop;
                end $$""".formatted(EVENTS / 10_000 - 1));
        PostgresJournal.on(database.dataSource(), options().start(JournalOptions.Start.NOW))
                .open(RELAY, OWNER, LEASE)
                .orElseThrow()
                .close();
        database.execute("""
                insert into waybill.parked (relay, seq, key, state, attempts, error)
                select 'relay', seq, id, 'dead', 10, 'the broker said no' from waybill.event where seq %% %d = 7""".formatted(EVENTS / DEAD));
        database.execute("""
                insert into waybill.window_log (relay, logged_at, base, seq, events)
                select 'relay', timestamptz '2026-01-01 00:00:00Z' + n * interval '10 seconds', '3:3:', 0, 10
                  from generate_series(1, 100000) n""");
        database.execute("vacuum analyze waybill.event, waybill.parked, waybill.window_log");
    }

    /** The published events are kept. */
    @Override
    protected void emptyJournal() {}

    @Test
    void the_status_touches_only_what_it_counts() {
        List<RelayStatus> relays = cost.of("status", StoreAdmin::relays, 3_000);

        assertThat(relays).extracting(RelayStatus::name).containsExactly("lagging", "relay");
        assertThat(relays).extracting(RelayStatus::backlogExact).containsExactly(false, true);
        assertThat(relays.get(0).backlog()).isBetween(EVENTS - 1_000L, EVENTS + 1_000L);
        assertThat(relays.get(1).backlog()).isZero();
        assertThat(relays.get(1).dead()).isEqualTo(DEAD);
    }

    @Test
    void a_page_of_events_touches_few_pages_and_a_filter_a_bounded_range() {
        assertThat(cost.events("newest", EventQuery.of(EventFilter.ALL), 2_500).events())
                .hasSize(100);
        for (EventFilter filter : List.of(
                EventFilter.ALL.type("rare"),
                EventFilter.ALL.aggregateType("None"),
                EventFilter.ALL.aggregateId("39990"),
                EventFilter.ALL.key("Thing:39990"))) {
            EventListing page = cost.events(filter.toString(), EventQuery.of(filter), RANGE);
            assertThat(page.lookedAt()).isEqualTo(JournalListing.SEQS_PER_PAGE);
            assertThat(page.next()).isPresent();
        }
    }

    @Test
    void a_time_range_is_found_without_reading_the_events_before_it() {
        Instant middle = Instant.parse("2026-01-03T00:00:00Z");
        EventFilter hour = EventFilter.ALL.from(middle).until(middle.plusSeconds(3_600));
        EventListing page = cost.events("an hour", EventQuery.of(hour).atMost(1_000), 20_000);

        assertThat(page.events()).hasSize(1_000);
        assertThat(page.events().get(0).createdAt()).isEqualTo(middle.plusSeconds(3_599));
        assertThat(cost.events("a type in an hour", EventQuery.of(hour.type("none")), 1_000)
                        .next())
                .isEmpty();
    }

    @Test
    void events_by_state_touch_few_pages() {
        EventQuery all = EventQuery.of(EventFilter.ALL);
        EventListing dead = cost.events("dead", all.in(RELAY, State.DEAD), 2_000);
        assertThat(dead.events()).hasSize(100);
        assertThat(dead.events().get(0).relays())
                .containsExactly(new EventSummary.Standing("relay", State.DEAD, 10, Optional.of("the broker said no")));
        cost.events("parked", all.in(RELAY, State.PARKED), 500);
        cost.events("discarded", all.in(RELAY, State.DISCARDED), 100);
        assertThat(cost.events("published", all.in(RELAY, State.PUBLISHED), 2_000)
                        .events())
                .hasSize(100);
        assertThat(cost.events("pending", all.in(LAGGING, State.PENDING), 2_000).events())
                .hasSize(100);
        cost.events("none pending", all.in(RELAY, State.PENDING), 100);
        EventQuery rareDead = EventQuery.of(EventFilter.ALL.type("none")).in(RELAY, State.DEAD);
        assertThat(cost.events("dead of a type", rareDead, 6 * DEAD).lookedAt()).isEqualTo(DEAD);
    }

    @Test
    void showing_an_event_and_previewing_a_requeue_touch_few_pages() {
        String id =
                admin.events(EventQuery.of(EventFilter.ALL)).events().get(50).id();
        cost.of("show", some -> some.show(id), 2_000);
        RequeuePreview preview =
                cost.of("preview", some -> some.previewRequeue(RELAY, Selection.all(ParkedState.DEAD)), 6 * DEAD);
        assertThat(preview)
                .returns(DEAD, RequeuePreview::found)
                .returns(DEAD, RequeuePreview::late)
                .returns(true, RequeuePreview::exact);
    }
}
