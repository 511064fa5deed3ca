package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an operator sees of a store, and how a relay is paused, resumed and dropped. */
abstract class AdminContract extends SeveralRelaysContract {

    @Test
    void a_store_that_no_relay_has_read_lists_none() {
        append("a1");

        assertThat(admin().relays()).isEmpty();
    }

    @Test
    void a_drained_relay_has_no_backlog() {
        append("a1", "b1");
        drain();

        RelayStatus status = status();
        assertThat(status.backlog()).isZero();
        assertThat(status.oldest()).isEmpty();
        assertThat(status.parked()).isZero();
        assertThat(status.dead()).isZero();
        assertThat(status.paused()).isFalse();
    }

    @Test
    void a_relay_that_lags_has_a_backlog_and_an_oldest_event() {
        drain();
        append("a1", "b1");
        append("c1");

        assertThat(status().backlog()).isGreaterThanOrEqualTo(3);
        if (keeps(StoredField.CREATED_AT)) {
            assertThat(status().oldest()).isPresent();
            assertThat(status().oldest().orElseThrow()).isBetween(Duration.ZERO, Duration.ofMinutes(10));
        }
    }

    @Test
    void parked_and_dead_events_are_not_in_the_backlog() {
        append("a1", "a2", "b1");
        drain(Map.of("a1", retryIn(SHORT), "b1", deadPassing()));

        assertThat(status().backlog()).isZero();
        assertThat(status().parked()).isEqualTo(2);
        assertThat(status().dead()).isEqualTo(1);
    }

    @Test
    void the_oldest_unpublished_event_may_be_a_parked_one_and_is_no_dead_one() {
        append("a1", "a2", "b1");
        drain(Map.of("a1", retryIn(LONG), "b1", deadPassing()));
        assertThat(status().oldestPending()).isEmpty();
        RelayStatus waiting = status();
        assertThat(waiting.oldest()).isEqualTo(waiting.oldestParked());
        assertThat(waiting.oldest().isPresent()).isEqualTo(keeps(StoredField.CREATED_AT));
        waiting.oldest().ifPresent(age -> assertThat(age).isBetween(Duration.ZERO, Duration.ofMinutes(10)));

        pass(LONG);
        expect(drain(), "a1", "a2");
        assertThat(status().oldestParked()).isEmpty();
        assertThat(status().oldest()).isEmpty();
    }

    @Test
    void events_behind_a_dead_one_that_holds_its_key_are_unpublished() {
        append("a1", "a2");
        drain(Map.of("a1", deadHolding()));

        assertThat(status().parked()).isEqualTo(1);
        assertThat(status().oldestParked().isPresent()).isEqualTo(keeps(StoredField.CREATED_AT));
    }

    @Test
    void a_backlog_that_can_be_counted_is_exact() {
        drain();
        append("a1", "b1", "c1");

        assertThat(status().backlog()).isEqualTo(3);
        assertThat(status().backlogExact()).isTrue();
    }

    @Test
    void a_relay_that_nobody_runs_tells_how_long() {
        Courier relay = relay();
        assertThat(status().lease()).isPresent();
        assertThat(status().unattended()).isEmpty();
        relay.close();

        assertThat(status().lease()).isEmpty();
        assertThat(status().unattended().orElseThrow()).isBetween(Duration.ZERO, Duration.ofMinutes(10));
        assertThat(status().abandoned()).isFalse();
    }

    @Test
    void parked_events_are_listed_oldest_first_page_by_page() {
        append("a1", "a2", "a3", "a4", "a5");
        drain(Map.of("a1", retryIn(LONG)));
        List<String> listed = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        ParkedQuery query = ParkedQuery.of(RELAY).atMost(2);
        List<ParkedEvent> page;
        do {
            page = admin().parked(query);
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            for (ParkedEvent parked : page) {
                assertThat(cursors.add(parked.cursor())).isTrue();
                query = query.after(parked.cursor());
                listed.add(book.name(parked.eventId()));
            }
        } while (!page.isEmpty());

        assertThat(listed).containsExactly("a1", "a2", "a3", "a4", "a5");
    }

    @Test
    void parked_events_are_listed_by_state() {
        append("a1", "a2", "b1", "c1");
        drain(Map.of("a1", retryIn(LONG), "b1", deadPassing(), "c1", deadHolding()));

        ParkedQuery all = ParkedQuery.of(RELAY);
        assertThat(parkedNames(all)).containsExactlyInAnyOrder("a1", "a2", "b1", "c1");
        assertThat(parkedNames(all.in(ParkedState.DUE))).containsExactly("a1");
        assertThat(parkedNames(all.in(ParkedState.WAITING))).containsExactly("a2");
        assertThat(parkedNames(all.in(ParkedState.DEAD))).containsExactlyInAnyOrder("b1", "c1");
    }

    @Test
    void what_waits_behind_an_event_is_listed_in_order_up_to_a_limit() {
        append("a1", "b1", "a2", "a3", "b2", "c1", "c2");
        drain(Map.of("a1", retryIn(LONG), "b1", deadHolding(), "c1", deadPassing()));

        assertThat(behind("a1", 10)).containsExactly("a2", "a3");
        assertThat(behind("a1", 2)).containsExactly("a2", "a3");
        assertThat(behind("a1", 1)).containsExactly("a2", "…");
        assertThat(behind("a2", 10)).containsExactly("a3");
        assertThat(behind("a3", 10)).isEmpty();
        assertThat(behind("b1", 10)).containsExactly("b2");
        assertThat(behind("c1", 10)).as("it lets later ones pass").isEmpty();
        assertThat(behind("c2", 10)).as("it is published").isEmpty();
        assertThat(admin().waitingBehind(OTHER_RELAY, book.id("a1"), 10)).isEqualTo(Followers.NONE);
        assertThat(admin().waitingBehind(RELAY, "no such event", 10)).isEqualTo(Followers.NONE);
    }

    /** The names of those behind the event, and … if there are more. */
    private List<String> behind(String name, int atMost) {
        Followers followers = admin().waitingBehind(RELAY, book.id(name), atMost);
        List<String> names = new ArrayList<>();
        followers.events().forEach(event -> {
            assertThat(event.state()).isEqualTo(ParkedState.WAITING);
            names.add(book.name(event.eventId()));
        });
        if (!followers.all()) {
            names.add("…");
        }
        return names;
    }

    @Test
    void the_parked_of_an_unknown_relay_are_none() {
        assertThat(admin().parked(ParkedQuery.of(OTHER_RELAY))).isEmpty();
    }

    @Test
    void an_events_story_tells_what_it_is() {
        append("a1");

        EventHistory history = admin().show(id("a1")).orElseThrow();
        assertThat(history.id()).isEqualTo(id("a1"));
        assertThat(history.type()).isEqualTo("tck.happened.v1");
        assertThat(history.aggregateType()).isEqualTo(keeps(StoredField.AGGREGATE_TYPE) ? "Thing" : "");
        assertThat(history.aggregateId()).contains(aggregateId("a"));
        assertThat(history.payloadBytes()).isEqualTo(book.event("a1").payload().size());
        if (keeps(StoredField.CREATED_AT)) {
            assertThat(history.createdAt()).isCloseTo(harness().clock().instant(), within(10, ChronoUnit.MINUTES));
        }
        assertThat(history.relays()).isEmpty();
    }

    @Test
    void an_events_story_follows_it_through_its_states() {
        append("a1", "a2");
        try (Courier relay = relay()) {
            assertThat(state("a1")).isEqualTo(EventHistory.State.PENDING);
            Batch batch = relay.claim();
            assertThat(state("a1")).isEqualTo(EventHistory.State.PENDING);
            relay.settle(batch, retryIn(SHORT), Settlement.BEHIND);
        }
        assertThat(state("a1")).isEqualTo(EventHistory.State.PARKED);
        assertThat(entry(RELAY, "a1").parked().orElseThrow().error()).contains("the broker said no");
        assertThat(state("a2")).isEqualTo(EventHistory.State.PARKED);
        pass(SHORT);
        expect(drain(Map.of("a1", deadPassing())), "a2");
        assertThat(state("a1")).isEqualTo(EventHistory.State.DEAD);
        assertThat(entry(RELAY, "a1").parked().orElseThrow().attempts()).isEqualTo(2);
        if (keeps(StoredField.FINISHED_EVENTS)) {
            assertThat(state("a2")).isEqualTo(EventHistory.State.PUBLISHED);
            assertThat(entry(RELAY, "a2").parked()).isEmpty();
        }

        admin().requeue(RELAY, ids("a1"), ANNA);
        assertThat(state("a1")).isEqualTo(EventHistory.State.PARKED);
        expect(drain(), "a1");
        if (keeps(StoredField.FINISHED_EVENTS)) {
            assertThat(state("a1")).isEqualTo(EventHistory.State.PUBLISHED);
        }
    }

    @Test
    void an_event_that_is_not_there_has_no_history() {
        assertThat(admin().show("019a0000-0000-7000-8000-000000000000")).isEmpty();
        assertThat(admin().show("not of the form of any id here")).isEmpty();
    }

    @Test
    void an_event_that_was_rolled_back_has_no_history() {
        StoreHarness.Tx undone = begin();
        undone.append(events("a1"));
        undone.rollback();

        assertThat(admin().show(id("a1"))).isEmpty();
    }

    @Test
    void a_paused_relay_claims_nothing_until_it_is_resumed() {
        Courier relay = relay();
        append("a1");
        expect(relay.drain(), "a1");
        assertThat(admin().pause(RELAY, ANNA)).isTrue();
        append("a2");
        assertThat(status().paused()).isTrue();
        assertThat(relay.drain()).isEmpty();

        assertThat(admin().resume(RELAY, ANNA)).isTrue();
        assertThat(status().paused()).isFalse();
        expect(relay.drain(), "a2");
    }

    @Test
    void a_relay_paused_amid_its_backlog_claims_nothing_more_until_it_is_resumed() {
        append("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12");
        Courier relay = relay().limits(2, 100_000);
        List<String> came = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Batch before = relay.claim();
            admin().pause(RELAY, ANNA);
            came.addAll(relay.names(before));
            relay.publish(before);
            assertThat(relay.drain()).isEmpty();
            admin().resume(RELAY, ANNA);
        }
        came.addAll(relay.drain());

        expect(came, "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12");
    }

    @Test
    void a_paused_relay_retries_nothing_and_stays_paused_in_a_new_session() {
        append("a1", "a2");
        drain(Map.of("a1", retryIn(SHORT)));
        admin().pause(RELAY, ANNA);
        pass(SHORT);
        assertThat(drain()).isEmpty();
        admin().resume(RELAY, ANNA);

        expect(drain(), "a1", "a2");
    }

    @Test
    void what_was_out_when_the_relay_was_paused_is_settled_all_the_same() {
        append("a1");
        try (Courier relay = relay()) {
            Batch out = relay.claim();
            admin().pause(RELAY, ANNA);
            relay.publish(out);
        }
        admin().resume(RELAY, ANNA);

        assertThat(drain()).isEmpty();
    }

    @Test
    void a_dropped_relay_is_forgotten_and_begins_anew_only_on_purpose() {
        assumeSeveralRelays();
        append("a1", "b1");
        expect(drain(Map.of("a1", deadPassing())), "b1");
        assertThat(admin().drop(RELAY, ANNA)).isTrue();

        assertThat(admin().relays()).isEmpty();
        assertThat(admin().parked(ParkedQuery.of(RELAY))).isEmpty();
        assertThatExceptionOfType(StoreRefusedException.class)
                .as("a process that still has it in its configuration")
                .isThrownBy(() -> open(RELAY, TWO))
                .withMessageContaining(ANNA.who())
                .withMessageContaining("restore");
        assertThat(admin().relays()).isEmpty();
        assertThat(admin().restore(RELAY, ANNA)).isTrue();
        assertThat(admin().restore(RELAY, ANNA)).isFalse();
        expect(drain(), "a1", "b1");
    }

    @Test
    void a_relay_that_somebody_runs_is_not_dropped() {
        append("a1");
        Courier courier = relay();
        Batch batch = courier.claim();

        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> admin().drop(RELAY, ANNA))
                .withMessageContaining(RELAY.value())
                .withMessageContaining("Stop it");
        courier.publish(batch);
        assertThat(courier.session().renew()).isTrue();
        assertThat(admin().audit(10)).noneMatch(AuditEntry::allowed);
    }

    @Test
    void a_dropped_relay_is_forgotten_and_what_it_published_stays_published_where_events_are_marked() {
        assumeOneRelay();
        append("a1", "b1");
        expect(drain(Map.of("a1", retryIn(LONG))), "b1");
        assertThat(admin().drop(RELAY, ANNA)).isTrue();

        assertThat(admin().relays()).isEmpty();
        assertThat(admin().parked(ParkedQuery.of(RELAY))).isEmpty();
        expect(drain(), "a1");
    }

    @Test
    void a_session_of_a_dropped_relay_is_refused_even_when_the_relay_was_opened_anew() {
        append("a1");
        Courier old = relay();
        Batch batch = old.claim();
        harness().expireLease(RELAY);
        admin().drop(RELAY, ANNA);
        admin().restore(RELAY, ANNA);
        Courier anew = open(RELAY, TWO).orElseThrow();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> old.publish(batch));
        assertThat(old.session().renew()).isFalse();
        expect(anew.drain(), "a1");
    }

    @Test
    void pausing_resuming_and_dropping_an_unknown_relay_tell_so() {
        assertThat(admin().pause(OTHER_RELAY, ANNA)).isFalse();
        assertThat(admin().resume(OTHER_RELAY, ANNA)).isFalse();
        assertThat(admin().drop(OTHER_RELAY, ANNA)).isFalse();
        assertThat(admin().relays()).isEmpty();
    }

    @Test
    void every_action_is_audited_newest_first_with_who_and_why() {
        append("a1", "b1");
        drain(Map.of("a1", deadPassing(), "b1", deadHolding()));
        Actor ben = new Actor("ben", "it was a test");
        admin().pause(RELAY, ANNA);
        admin().resume(RELAY, ben);
        admin().requeue(RELAY, ids("a1"), ANNA);
        admin().discard(RELAY, ids("b1"), ben);
        admin().drop(RELAY, ANNA);

        List<AuditEntry> audit = admin().audit(10);
        assertThat(audit)
                .extracting(AuditEntry::action)
                .containsExactly("drop", "discard", "requeue", "resume", "pause");
        assertThat(audit).extracting(AuditEntry::by).containsExactly(ANNA, ben, ANNA, ben, ANNA);
        assertThat(audit).extracting(AuditEntry::relay).containsOnly(RELAY.value());
        assertThat(audit)
                .allSatisfy(entry ->
                        assertThat(entry.at()).isCloseTo(harness().clock().instant(), within(10, ChronoUnit.MINUTES)));
        assertThat(audit.get(1).details()).contains(id("b1"));
        assertThat(audit.get(2).details()).contains(id("a1"));
        assertThat(admin().audit(2)).isEqualTo(audit.subList(0, 2));
        assertThat(admin().audit(Optional.of(audit.get(1).cursor()), 2)).isEqualTo(audit.subList(2, 4));
        assertThat(admin().audit(Optional.of(audit.get(4).cursor()), 2)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin().audit(Optional.of("first"), 2))
                .withMessageContaining("is not a cursor");
        admin().note("send-back", "dead letter 0@7", ANNA);
        assertThat(admin().audit(1)).singleElement().satisfies(entry -> {
            assertThat(entry.action()).isEqualTo("send-back");
            assertThat(entry.details()).isEqualTo("dead letter 0@7");
            assertThat(entry.by()).isEqualTo(ANNA);
            assertThat(entry.allowed()).isTrue();
        });
    }
}
