package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory.State;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.EventSummary.Standing;
import dev.waybill.admin.StoreWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** An operator lists events and watches relays. */
abstract class ListingContract extends RequeueOrderContract {
    private static final int MOST_PAGES = 1_000;
    private static final EventQuery EVERYTHING = EventQuery.of(EventFilter.ALL);

    @Test
    void a_watch_reads_the_status_of_relays_again_and_again() {
        try (StoreWatch watch = admin().watch()) {
            assertThat(watch.read().relays()).isEmpty();
            drain();
            assertThat(watch.read().relays())
                    .singleElement()
                    .satisfies(relay -> assertThat(relay.backlog()).isZero());
            append("a1", "b1");
            assertThat(watch.read().relays())
                    .singleElement()
                    .satisfies(relay -> assertThat(relay.backlog()).isGreaterThanOrEqualTo(2));
            drain();
            assertThat(watch.read().relays())
                    .singleElement()
                    .satisfies(relay -> assertThat(relay.backlog()).isZero());
        }
    }

    @Test
    void events_are_listed_newest_first_page_by_page() {
        appendOneByOne("a1", "b1", "a2", "c1", "a3");

        assertThat(found(EVERYTHING)).containsExactly("a3", "c1", "a2", "b1", "a1");
        assertThat(found(EVERYTHING.atMost(2))).containsExactly("a3", "c1", "a2", "b1", "a1");
        assertThat(found(EVERYTHING.atMost(1))).containsExactly("a3", "c1", "a2", "b1", "a1");
    }

    @Test
    void an_empty_store_lists_nothing() {
        EventListing listing = admin().events(EVERYTHING);

        assertThat(listing.events()).isEmpty();
        assertThat(listing.next()).isEmpty();
    }

    @Test
    void events_that_are_appended_while_a_person_pages_do_not_move_the_pages() {
        appendOneByOne("a1", "a2", "a3");
        EventListing first = admin().events(EVERYTHING.atMost(2));
        append("a4");

        assertThat(names(first)).containsExactly("a3", "a2");
        assertThat(found(EVERYTHING.after(first.next().orElseThrow()))).containsExactly("a1");
    }

    @Test
    void a_listed_event_tells_what_it_is_and_where_it_stands_with_each_relay() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1");
        assertThat(admin().events(EVERYTHING).events().get(0).relays()).isEmpty();
        drain();

        EventSummary listed = admin().events(EVERYTHING).events().get(0);
        assertThat(listed.id()).isEqualTo(id("a1"));
        assertThat(listed.type()).isEqualTo("tck.happened.v1");
        assertThat(listed.aggregateType()).isEqualTo(keeps(StoredField.AGGREGATE_TYPE) ? "Thing" : "");
        assertThat(listed.createdAt())
                .isEqualTo(admin().show(id("a1")).orElseThrow().createdAt());
        assertThat(listed.relays()).containsExactly(new Standing(RELAY.value(), State.PUBLISHED, 0, Optional.empty()));
        assertThat(admin().events(EVERYTHING.with(OTHER_RELAY)).events().get(0).relays())
                .isEmpty();
    }

    @Test
    void events_are_found_by_how_they_stand() {
        appendOneByOne("a1", "a2", "b1", "c1", "d1");
        drain(Map.of("a1", retryIn(LONG), "b1", deadPassing(), "c1", deadHolding()));
        admin().discard(RELAY, ids("c1"), ANNA);
        append("e1");

        assertThat(found(in(State.PENDING))).containsExactly("e1");
        boolean finished = keeps(StoredField.FINISHED_EVENTS);
        assertThat(found(in(State.PUBLISHED))).isEqualTo(finished ? List.of("d1") : List.of());
        assertThat(found(in(State.PARKED))).containsExactly("a2", "a1");
        assertThat(found(in(State.DEAD))).containsExactly("b1");
        assertThat(found(in(State.DISCARDED))).isEqualTo(finished ? List.of("c1") : List.of());
        List<String> unfinished = List.of("a1", "a2", "b1", "e1");
        assertThat(found(EVERYTHING))
                .containsExactlyInAnyOrderElementsOf(
                        finished ? List.of("a1", "a2", "b1", "c1", "d1", "e1") : unfinished);
        assertThat(found(EVERYTHING.in(OTHER_RELAY, State.PENDING))).isEmpty();
    }

    @Test
    void a_listed_event_that_failed_tells_how_often_and_why() {
        append("a1", "b1");
        drain(Map.of("a1", retryIn(LONG), "b1", deadPassing()));

        assertThat(standing(in(State.PARKED)))
                .isEqualTo(new Standing(RELAY.value(), State.PARKED, 1, Optional.of("the broker said no")));
        assertThat(standing(in(State.DEAD)))
                .isEqualTo(new Standing(RELAY.value(), State.DEAD, 1, Optional.of("refused for good")));
    }

    @Test
    void events_are_found_by_type_and_aggregate_and_key() {
        assumeKeeps(StoredField.FINISHED_EVENTS);
        append("a1", "a2", "b1");
        append(book.enter(
                "other",
                Event.of("tck.another.v1")
                        .aggregate("Thing", aggregateId("other"))
                        .payload(Payload.json("{}"))));
        drain(Map.of("a1", deadPassing(), "other", deadPassing()));

        assertThat(found(EventFilter.ALL.type("tck.another.v1"))).containsExactly("other");
        assertThat(found(EventFilter.ALL.type("tck.happened.v1"))).containsExactlyInAnyOrder("a1", "a2", "b1");
        assertThat(found(EventFilter.ALL.type("TCK.another.v1"))).isEmpty();
        assertThat(found(EventFilter.ALL.aggregateId(aggregateId("a")))).containsExactlyInAnyOrder("a1", "a2");
        assertThat(found(EventFilter.ALL.aggregateId("not of the form of any id here")))
                .isEmpty();
        String prefix = keeps(StoredField.AGGREGATE_TYPE) ? "Thing:" : ":";
        assertThat(found(EventFilter.ALL.key(prefix + aggregateId("b")))).containsExactly("b1");
        assertThat(found(new EventQuery(
                        EventFilter.ALL.type("tck.another.v1"),
                        Optional.of(RELAY),
                        Optional.of(State.DEAD),
                        Optional.empty(),
                        10)))
                .containsExactly("other");
    }

    @Test
    void events_are_found_by_the_key_and_the_aggregate_type_they_were_given() {
        assumeKeeps(StoredField.KEY);
        assumeKeeps(StoredField.AGGREGATE_TYPE);
        append("a1");
        append(book.enter(
                "keyed",
                Event.of("tck.happened.v1")
                        .aggregate("Other", aggregateId("a"))
                        .payload(Payload.json("{}"))
                        .key("a key of its own")));

        assertThat(found(EventFilter.ALL.key("a key of its own"))).containsExactly("keyed");
        assertThat(found(EventFilter.ALL.key("Other:" + aggregateId("a")))).isEmpty();
        assertThat(found(EventFilter.ALL.aggregateType("Other"))).containsExactly("keyed");
        assertThat(found(EventFilter.ALL.aggregateType("Thing").aggregateId(aggregateId("a"))))
                .containsExactly("a1");
    }

    @Test
    void events_are_found_by_the_time_of_their_creation() {
        assumeKeeps(StoredField.CREATED_AT);
        assumeKeeps(StoredField.FINISHED_EVENTS);
        appendOneByOne("a1", "b1", "a2", "c1");
        drain(Map.of("b1", deadPassing(), "c1", deadPassing()));
        Instant second = admin().show(id("b1")).orElseThrow().createdAt();
        Instant third = admin().show(id("a2")).orElseThrow().createdAt();
        Instant fourth = admin().show(id("c1")).orElseThrow().createdAt();

        assertThat(found(EventFilter.ALL.from(second))).containsExactly("c1", "a2", "b1");
        assertThat(found(EventFilter.ALL.until(second))).containsExactly("a1");
        assertThat(found(EventFilter.ALL.from(second).until(fourth))).containsExactly("a2", "b1");
        assertThat(found(EventFilter.ALL.from(fourth.plusSeconds(1)))).isEmpty();
        assertThat(found(new EventQuery(
                        EventFilter.ALL.from(third),
                        Optional.of(RELAY),
                        Optional.of(State.DEAD),
                        Optional.empty(),
                        10)))
                .containsExactly("c1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventFilter.ALL.from(second).until(second))
                .withMessageContaining("the end must be after the start");
    }

    @Test
    void a_cursor_of_another_list_is_refused() {
        append("a1");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin().events(EVERYTHING.after("nowhere")))
                .withMessageContaining("not a cursor of this list");
    }

    @Test
    void a_payload_is_given_as_it_was_appended_and_that_is_audited() {
        append("a1");
        byte[] payload = admin().payload(id("a1"), ANNA).orElseThrow().bytes();

        if (keeps(StoredField.EXACT_JSON)) {
            assertThat(payload).isEqualTo(book.event("a1").payload().bytes());
        }
        assertThat(new String(payload, java.nio.charset.StandardCharsets.UTF_8)).contains("a1");
        assertThat(admin().audit(10)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("payload");
            assertThat(entry.by()).isEqualTo(ANNA);
            assertThat(entry.details()).contains(id("a1"));
        });
        assertThat(admin().payload("not of the form of any id here", ANNA)).isEmpty();
    }

    @Test
    void a_binary_payload_is_given_with_its_content_type() {
        assumeKeeps(StoredField.BINARY_PAYLOAD);
        Payload bytes = Payload.binary(new byte[] {0, 1, -1}, "application/x-tck");
        append(book.enter(
                "binary",
                Event.of("tck.happened.v1")
                        .aggregate("Thing", aggregateId("binary"))
                        .payload(bytes)));

        assertThat(admin().payload(id("binary"), ANNA)).contains(bytes);
    }

    // ---- helpers

    /** Appends each event at a different time, also for stores with millisecond precision. */
    private void appendOneByOne(String... names) {
        for (String name : names) {
            append(name);
            pass(Duration.ofMillis(10));
            awaitTimeAfter(admin().show(id(name)).orElseThrow().createdAt());
        }
    }

    /** Waits for stores that do not use the contract's clock; only briefly if their clock is ahead. */
    private static void awaitTimeAfter(Instant created) {
        Instant enough = Instant.now().plusMillis(2);
        Instant next = created.truncatedTo(ChronoUnit.MILLIS).plusMillis(1);
        Instant end = next.isBefore(enough) ? next : enough;
        while (Instant.now().isBefore(end)) {
            LockSupport.parkNanos(Duration.between(Instant.now(), end).toNanos());
        }
    }

    private static EventQuery in(State state) {
        return EVERYTHING.in(RELAY, state);
    }

    private List<String> found(EventFilter filter) {
        return found(EventQuery.of(filter));
    }

    /** All pages. */
    private List<String> found(EventQuery query) {
        List<String> found = new ArrayList<>();
        EventQuery next = query;
        for (int pages = 0; pages < MOST_PAGES; pages++) {
            EventListing page = admin().events(next);
            assertThat(page.events()).hasSizeLessThanOrEqualTo(query.atMost());
            assertThat(page.lookedAt()).isGreaterThanOrEqualTo(page.events().size());
            found.addAll(names(page));
            if (page.next().isEmpty()) {
                return found;
            }
            next = query.after(page.next().get());
        }
        throw new AssertionError("After " + MOST_PAGES + " pages there is still more.");
    }

    private List<String> names(EventListing listing) {
        return listing.events().stream().map(event -> book.name(event.id())).toList();
    }

    private Standing standing(EventQuery query) {
        return admin().events(query).events().get(0).relays().get(0);
    }
}
