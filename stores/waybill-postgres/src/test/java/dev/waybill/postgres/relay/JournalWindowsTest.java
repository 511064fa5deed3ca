package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WindowSession.Resumed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions whose position is committed elsewhere: the variable {@code committed} is that place. */
class JournalWindowsTest extends JournalFixture {
    private static final Limits TWO = new Limits(2, 1_000_000);
    private static final Settlement.Dead DEAD = new Settlement.Dead("never", true, false);
    private static final Settlement.Dead HOLDING = new Settlement.Dead("never", true, true);

    private final List<WindowSession> opened = new ArrayList<>();
    private Optional<WindowPosition> committed = Optional.empty();

    @AfterEach
    void closeSessions() {
        opened.forEach(WindowSession::close);
        opened.clear();
        committed = Optional.empty();
    }

    private WindowSession session() {
        return session(OWNER);
    }

    private WindowSession session(OwnerId owner) {
        WindowSession session =
                journal().openWindows(RELAY, owner, LEASE).orElseThrow(() -> new AssertionError("no lease"));
        opened.add(session);
        return session;
    }

    private WindowSession resumed() {
        WindowSession session = session();
        session.resume(committed);
        return session;
    }

    private void commit(WindowSession session, WindowPosition position) {
        committed = Optional.of(position);
        session.committed(position);
    }

    private List<String> publish(WindowSession session) {
        return publish(session, PLENTY);
    }

    /** Reads and commits everything. */
    private List<String> publish(WindowSession session, Limits limits) {
        List<String> published = new ArrayList<>();
        for (Optional<WindowPage> page = session.read(limits); page.isPresent(); page = session.read(limits)) {
            published.addAll(names(page.get()));
            commit(session, page.get().end());
        }
        return published;
    }

    private static List<String> names(WindowPage page) {
        return page.events().stream().map(event -> event.type().toString()).toList();
    }

    private static StoredEvent event(WindowPage page, String name) {
        return page.events().stream()
                .filter(event -> event.type().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_window_is_saved_before_its_first_page_is_returned() throws SQLException {
        WindowSession session = resumed();
        append("a1");
        assertThat(session.read(PLENTY)).isPresent();
        assertThat(database.number("select count(*) from waybill.open_window")).isEqualTo(1);
    }

    @Test
    void an_idle_relay_saves_no_window() throws SQLException {
        WindowSession session = resumed();
        assertThat(session.read(PLENTY)).isEmpty();
        assertThat(database.number("select count(*) from waybill.open_window")).isZero();
    }

    @Test
    void a_session_continues_behind_the_committed_position_although_its_own_was_not_saved() throws SQLException {
        WindowSession first = resumed();
        append("a1", "b1", "a2", "b2", "a3");
        WindowPage one = first.read(TWO).orElseThrow();
        WindowPage two = first.read(TWO).orElseThrow();
        assertThat(names(one)).containsExactly("a1", "b1");
        committed = Optional.of(two.positionOf(0));

        WindowSession second = session();
        assertThat(second.resume(committed)).isEqualTo(Resumed.COMMITTED);
        assertThat(publish(second, TWO)).containsExactly("b2", "a3");
        append("a4");
        assertThat(publish(second)).containsExactly("a4");
    }

    @Test
    void pages_that_were_not_committed_are_read_again() throws SQLException {
        WindowSession session = resumed();
        append("a1", "b1", "a2");
        assertThat(names(session.read(TWO).orElseThrow())).containsExactly("a1", "b1");
        session.resume(committed);
        WindowPage again = session.read(TWO).orElseThrow();
        assertThat(names(again)).containsExactly("a1", "b1");
        commit(session, again.positionOf(0));
        session.resume(committed);
        assertThat(publish(session)).containsExactly("b1", "a2");
    }

    @Test
    void a_transaction_that_ends_late_is_read_once() throws SQLException {
        WindowSession session = resumed();
        Connection late = begin();
        append(late, "l1");
        append("a1");
        assertThat(publish(session)).containsExactly("a1");
        late.commit();
        WindowPage page = session.read(PLENTY).orElseThrow();
        assertThat(names(page)).containsExactly("l1");
        committed = Optional.of(page.end());

        assertThat(publish(resumed())).isEmpty();
    }

    @Test
    void windows_behind_the_committed_position_are_dropped_with_the_next_save() throws SQLException {
        WindowSession session = resumed();
        for (int i = 1; i <= 5; i++) {
            append("a" + i);
            publish(session);
        }
        assertThat(database.number("select count(*) from waybill.open_window")).isEqualTo(5);
        clock().advance(Duration.ofMillis(250));
        append("a6");
        publish(session);
        assertThat(database.number("select count(*) from waybill.open_window")).isEqualTo(1);
    }

    @Test
    void an_older_session_reads_nothing() throws SQLException {
        WindowSession older = resumed();
        WindowSession newer = resumed();
        append("a1");
        assertThatThrownBy(() -> older.read(PLENTY)).isInstanceOf(LeaseLostException.class);
        assertThat(publish(newer)).containsExactly("a1");
    }

    @Test
    void another_owner_waits_for_the_lease() {
        session();
        assertThat(journal().openWindows(RELAY, new OwnerId("another"), LEASE)).isEmpty();
    }

    @Test
    void a_window_that_the_store_does_not_know_means_its_own_position() throws SQLException {
        try (WindowSession first = resumed()) {
            append("a1", "a2");
            publish(first);
        }
        append("a3");
        try (WindowSession second = resumed()) {
            committed = Optional.of(second.read(PLENTY).orElseThrow().end());
        }
        // A failover that lost the last window.
        database.execute("delete from waybill.open_window where id = '"
                + committed.orElseThrow().window() + "'");

        WindowSession third = session();
        assertThat(third.resume(committed)).isEqualTo(Resumed.WINDOW_UNKNOWN);
        assertThat(publish(third)).containsExactly("a3");
    }

    @Test
    void a_destination_that_lost_its_position_means_the_own_position() throws SQLException {
        try (WindowSession first = resumed()) {
            append("a1", "a2");
            publish(first);
        }
        append("a3");

        WindowSession second = session();
        assertThat(second.resume(Optional.empty())).isEqualTo(Resumed.POSITION_LOST);
        assertThat(publish(second)).containsExactly("a3");
    }

    @Test
    void a_first_session_begins_at_the_own_position() {
        assertThat(session().resume(Optional.empty())).isEqualTo(Resumed.OWN_POSITION);
    }

    @Test
    void a_number_that_is_assigned_again_is_another_window() throws SQLException {
        WindowSession session = resumed();
        append("a1");
        WindowPage page = session.read(PLENTY).orElseThrow();
        committed = Optional.of(new WindowPosition(UUID.randomUUID(), page.end().seq()));
        assertThat(session().resume(committed)).isEqualTo(Resumed.OWN_POSITION);
    }

    // ---- modes

    @Test
    void a_session_that_saves_its_position_itself_continues_where_this_one_ended() throws SQLException {
        try (WindowSession windows = resumed()) {
            append("a1", "a2");
            publish(windows);
        }
        append("a3");
        try (RelaySession plain = open()) {
            assertThat(drain(plain)).containsExactly("a3");
        }
        append("a4");

        WindowSession again = session();
        assertThat(again.resume(committed)).isEqualTo(Resumed.OWN_POSITION);
        assertThat(publish(again)).containsExactly("a4");
    }

    @Test
    void a_position_that_was_committed_before_the_other_mode_is_not_valid_after_it() throws SQLException {
        WindowSession windows = resumed();
        append("a1");
        committed = Optional.of(windows.read(PLENTY).orElseThrow().end());
        try (RelaySession plain = open()) {
            assertThat(drain(plain)).as("its commit was not known").containsExactly("a1");
            append("a2");
            assertThat(drain(plain)).containsExactly("a2");
        }
        WindowSession again = session();
        assertThat(again.resume(committed)).isEqualTo(Resumed.OWN_POSITION);
        assertThat(publish(again)).isEmpty();
    }

    @Test
    void events_that_the_other_mode_parked_are_published_when_due_and_in_order() throws SQLException {
        append("a1", "a2", "b1");
        try (RelaySession plain = open()) {
            Batch batch = plain.claim(PLENTY).orElseThrow();
            plain.settle(
                    batch,
                    List.of(
                            new Settlement.RetryAt(clock().instant().plusSeconds(5), "not now"),
                            Settlement.BEHIND,
                            Settlement.PUBLISHED));
        }
        append("a3", "c1");
        WindowSession windows = resumed();
        assertThat(publish(windows)).containsExactly("c1");
        clock().advance(Duration.ofSeconds(5));
        assertThat(publish(windows)).containsExactly("a1", "a2", "a3");
        assertThat(database.number("select count(*) from waybill.parked")).isZero();
    }

    // ---- dead events

    @Test
    void an_event_that_was_given_up_is_left_out_although_its_position_was_not_committed() throws SQLException {
        WindowSession first = resumed();
        append("a1", "b1", "a2");
        WindowPage page = first.read(PLENTY).orElseThrow();
        first.giveUp(List.of(event(page, "b1")), List.of(DEAD));
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
        committed = Optional.of(requeued.end());
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
    void a_position_that_was_not_read_is_refused() throws SQLException {
        WindowSession session = resumed();
        append("a1");
        session.read(PLENTY);
        assertThatThrownBy(() -> session.committed(new WindowPosition(UUID.randomUUID(), 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none of the 1 pages");
    }

    @Test
    void two_environments_of_one_journal_have_different_origins() throws SQLException {
        String before = session().origin();
        assertThat(session().origin()).isEqualTo(before).matches("[0-9a-f]{16}");
        journal().bindEnvironment("staging", new Actor("me", "test"));
        assertThat(session().origin()).isNotEqualTo(before);
    }

    @Test
    void published_events_are_counted_for_the_status() throws SQLException {
        WindowSession session = resumed();
        append("a1", "b1", "c1");
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(List.of(event(page, "b1")), List.of(DEAD));
        commit(session, page.positionOf(0));
        commit(session, page.end());
        session.close();
        assertThat(database.number("select sum(events) from waybill.window_log"))
                .isEqualTo(2);
        assertThat(journal().admin().relays().get(0).backlog()).isZero();
    }

    private void kill(WindowSession session, String... names) throws SQLException {
        append(names);
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(page.events(), page.events().stream().map(event -> DEAD).toList());
        commit(session, page.end());
    }

    private void requeueDead() {
        journal().admin().requeue(RELAY, Selection.all(ParkedState.DEAD), new Actor("me", "test"));
    }
}
