package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.spi.Limits;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Events that are given up and requeued while the position is committed elsewhere. */
class WindowsOfDeadEventsTest extends WindowsFixture {
    // ---- dead events

    @Test
    void an_event_that_was_given_up_is_left_out_although_its_position_was_not_committed() throws SQLException {
        WindowSession first = resumed();
        append("a1", "b1", "a2");
        WindowPage page = first.read(PLENTY).orElseThrow();
        first.giveUp(List.of(event(page, "b1")), List.of(DEAD));

        assertThat(publish(resumed())).containsExactly("a1", "a2");
        assertThat(database.texts("select state from waybill.parked")).containsExactly("dead");
    }

    @Test
    void an_event_that_was_given_up_and_requeued_before_the_commit_is_published_once() throws SQLException {
        WindowSession first = resumed();
        append("a1", "b1", "a2");
        WindowPage page = first.read(PLENTY).orElseThrow();
        first.giveUp(List.of(event(page, "b1")), List.of(DEAD));
        requeueDead();

        WindowSession second = resumed();
        assertThat(publish(second)).containsExactlyInAnyOrder("a1", "a2", "b1");
        second.close();
        assertThat(publish(resumed())).isEmpty();
    }

    @Test
    void an_event_that_was_given_up_and_discarded_before_the_commit_stays_discarded() throws SQLException {
        WindowSession first = resumed();
        append("a1", "b1");
        WindowPage page = first.read(PLENTY).orElseThrow();
        first.giveUp(List.of(event(page, "b1")), List.of(DEAD));
        journal().admin().discard(RELAY, Selection.all(ParkedState.DEAD), new Actor("me", "test"));

        assertThat(publish(resumed())).containsExactly("a1");
    }

    @Test
    void events_behind_a_dead_one_that_holds_its_key_wait_for_an_operator() throws SQLException {
        WindowSession session = resumed();
        append("a1", "a2", "b1");
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(List.of(event(page, "a1")), List.of(HOLDING));
        session.resume(committed);
        assertThat(publish(session)).containsExactly("b1");
        append("a3");
        assertThat(publish(session)).isEmpty();
        requeueDead();
        assertThat(publish(session)).containsExactly("a1", "a2", "a3");
    }

    @Test
    void followers_that_were_parked_before_a_crash_and_freed_since_are_published_once() throws SQLException {
        WindowSession first = resumed();
        append("a1", "a2", "b1");
        WindowPage page = first.read(PLENTY).orElseThrow();
        first.giveUp(List.of(event(page, "a1")), List.of(HOLDING));
        first.resume(committed);
        assertThat(names(first.read(PLENTY).orElseThrow())).containsExactly("b1");
        requeueDead();

        assertThat(publish(resumed(), TWO)).containsExactlyInAnyOrder("b1", "a1", "a2");
        assertThat(publish(resumed())).isEmpty();
    }

    // ---- requeued events

    @Test
    void a_requeued_event_whose_commit_was_not_seen_is_not_published_again() throws SQLException {
        WindowSession first = resumed();
        kill(first, "a1");
        requeueDead();
        WindowPage requeued = first.read(PLENTY).orElseThrow();
        assertThat(names(requeued)).containsExactly("a1");
        committed = Optional.of(requeued.end());

        assertThat(publish(resumed())).isEmpty();
        assertThat(database.number("select count(*) from waybill.parked")).isZero();
    }

    @Test
    void a_requeued_event_that_dies_again_and_is_requeued_before_the_commit_is_seen_is_not_lost() throws SQLException {
        WindowSession first = resumed();
        kill(first, "a1", "b1");
        requeueDead();
        WindowPage requeued = first.read(PLENTY).orElseThrow();
        first.giveUp(List.of(event(requeued, "a1")), List.of(DEAD));
        first.resume(committed);
        WindowPage other = first.read(PLENTY).orElseThrow();
        assertThat(names(other)).containsExactly("b1");
        committed = Optional.of(other.end());
        requeueDead();

        assertThat(publish(resumed())).containsExactly("a1");
    }

    @Test
    void a_requeued_event_is_published_in_the_middle_of_a_long_window() throws SQLException {
        WindowSession session = resumed();
        kill(session, "a1");
        append("b1", "b2", "b3", "b4", "b5");
        commit(session, session.read(TWO).orElseThrow().end());
        requeueDead();
        List<String> published = new ArrayList<>();
        Limits one = new Limits(1, 1_000_000);
        for (int i = 0; i < 30; i++) {
            append("c" + i);
        }
        session.resume(committed);
        published.addAll(publish(session, one));
        assertThat(published).startsWith("a1", "b3", "b4", "b5").hasSize(34);
    }

    @Test
    void a_requeued_event_that_dies_unsent_inside_a_window_of_late_events_skips_none_of_them() throws SQLException {
        WindowSession first = resumed();
        Connection late = begin();
        append(late, "l1", "l2", "l3");
        kill(first, "a1");
        late.commit();
        commit(first, first.read(new Limits(1, 1_000_000)).orElseThrow().end());
        requeueDead();
        first.resume(committed);
        WindowPage requeued = first.read(PLENTY).orElseThrow();
        assertThat(names(requeued)).containsExactly("a1");
        first.giveUp(requeued.events(), List.of(new Settlement.Dead("no route", false, false)));

        assertThat(publish(resumed())).containsExactly("l2", "l3");
    }

    @Test
    void an_event_that_dies_and_is_requeued_before_its_page_is_committed_is_published_once() throws SQLException {
        WindowSession session = resumed();
        append("a1", "b1");
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(List.of(event(page, "a1")), List.of(DEAD));
        requeueDead();
        session.resume(committed);

        assertThat(publish(session)).containsExactly("b1", "a1");
        assertThat(database.number("select count(*) from waybill.parked")).isZero();
    }

    // ---- a part of a window of requeued events is committed

    @Test
    void what_is_listed_again_is_not_taken_as_published_with_the_first_list() throws SQLException {
        WindowSession first = resumed();
        kill(first, "a1", "b1", "c1");
        requeueDead();
        WindowPage requeued = first.read(PLENTY).orElseThrow();
        committed = Optional.of(requeued.positionOf(0));

        WindowPage rest = resumed().read(new Limits(1, 1_000_000)).orElseThrow();
        assertThat(names(rest)).containsExactly("b1");
        committed = Optional.of(rest.end());

        assertThat(publish(resumed())).containsExactly("c1");
        assertThat(database.texts("select state from waybill.parked")).isEmpty();
    }

    @Test
    void one_of_the_rest_that_dies_again_stays_dead() throws SQLException {
        WindowSession first = resumed();
        kill(first, "a1", "b1", "c1");
        requeueDead();
        committed = Optional.of(first.read(PLENTY).orElseThrow().positionOf(0));

        WindowSession second = resumed();
        WindowPage rest = second.read(PLENTY).orElseThrow();
        second.giveUp(List.of(event(rest, "b1")), List.of(DEAD));
        second.resume(committed);
        WindowPage other = second.read(PLENTY).orElseThrow();
        assertThat(names(other)).containsExactly("c1");
        committed = Optional.of(other.end());

        resumed();
        assertThat(database.texts("select state from waybill.parked")).containsExactly("dead");
    }

    @Test
    void a_dead_event_at_the_end_of_the_journal_is_no_backlog() throws SQLException {
        WindowSession session = resumed();
        append("a1");
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(page.events(), List.of(DEAD));
        session.resume(committed);
        assertThat(session.read(PLENTY)).isEmpty();
        clock().advance(LEASE);
        assertThat(session.read(PLENTY)).isEmpty();
        assertThat(journal().admin().relays().get(0).backlog()).isZero();
        assertThat(journal().admin().relays().get(0).dead()).isEqualTo(1);
    }

    @Test
    void a_session_that_ends_saves_that_it_has_passed_a_dead_event() throws SQLException {
        WindowSession session = resumed();
        append("a1");
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(page.events(), List.of(DEAD));
        session.resume(committed);
        assertThat(session.read(PLENTY)).isEmpty();
        session.close();
        assertThat(journal().admin().relays().get(0).backlog()).isZero();
    }
}
