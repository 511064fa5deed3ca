package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Actor;
import dev.waybill.admin.PositionAdmin;
import dev.waybill.admin.PositionAdmin.Standing;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.transaction.AfterWindows;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WindowSession.Resumed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Where sessions continue whose position is committed elsewhere, and what they save. */
class JournalWindowsTest extends WindowsFixture {
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
    void the_other_mode_knows_of_the_last_writer_until_it_is_ended() throws SQLException {
        String origin;
        try (WindowSession windows = resumed()) {
            origin = windows.origin();
            append("a1");
            publish(windows);
        }
        for (int session = 0; session < 2; session++) {
            append("b" + session);
            try (RelaySession plain = open()) {
                assertThat(plain)
                        .isInstanceOfSatisfying(
                                AfterWindows.class,
                                after -> assertThat(after.origin()).isEqualTo(origin));
                assertThat(drain(plain)).containsExactly("b" + session);
            }
        }
        try (RelaySession plain = open()) {
            ((AfterWindows) plain).writerEnded();
        }
        try (RelaySession plain = open()) {
            assertThat(plain).isNotInstanceOf(AfterWindows.class);
        }
        try (WindowSession windows = resumed()) {
            assertThat(publish(windows)).isEmpty();
        }
        try (RelaySession plain = open()) {
            assertThat(plain).isInstanceOf(AfterWindows.class);
        }
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
    void events_that_died_ahead_of_the_position_are_decided_again_in_the_other_mode() throws SQLException {
        try (WindowSession windows = resumed()) {
            append("a1", "a2", "b1", "c1");
            WindowPage page = windows.read(PLENTY).orElseThrow();
            windows.giveUp(List.of(event(page, "b1")), List.of(DEAD));
            discardDead();
            windows.resume(committed);
            page = windows.read(PLENTY).orElseThrow();
            windows.giveUp(List.of(event(page, "a2"), event(page, "c1")), List.of(DEAD, DEAD));
            requeue(event(page, "a2"));
        }
        try (RelaySession plain = open()) {
            assertThat(drain(plain)).as("without the discarded one").containsExactly("a1", "a2", "c1");
        }
        assertThat(database.number("select count(*) from waybill.parked")).isZero();
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
        session.resume(committed);
        page = session.read(PLENTY).orElseThrow();
        commit(session, page.positionOf(0));
        commit(session, page.end());
        session.close();
        assertThat(database.number("select sum(events) from waybill.window_log"))
                .isEqualTo(2);
        assertThat(journal().admin().relays().get(0).backlog()).isZero();
    }

    @Test
    void copies_of_a_database_in_one_cluster_have_different_origins() throws SQLException {
        JournalDatabase original = JournalDatabase.create();
        String copy = original.name() + "_copy";
        database.execute("create database " + copy + " template " + original.name());
        assertThat(origin(database.server().dataSource(copy)))
                .isNotEqualTo(origin(original.dataSource()))
                .matches("[0-9a-f]{16}");
    }

    private static String origin(DataSource source) {
        return JournalConnection.once(source, "its origin", StoreOrigin::of);
    }

    @Test
    void a_session_of_the_other_mode_that_lost_its_lease_forgets_no_window() throws SQLException {
        WindowSession windows = resumed();
        append("a1");
        committed = Optional.of(windows.read(PLENTY).orElseThrow().end());
        JournalLease lost =
                new JournalLease(new LeaseRenewals(database.dataSource()), RELAY, windows.epoch() - 1, LEASE);
        assertThatThrownBy(() -> JournalConnection.once(database.dataSource(), "forgetting", connection -> {
                    new OpenWindows(connection, lost).forget();
                    return lost;
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(session().resume(committed)).isEqualTo(Resumed.COMMITTED);
    }

    @Test
    void an_operator_sees_how_the_committed_position_fits_the_store() throws SQLException {
        assertThat(standing(Optional.empty())).isEqualTo(Standing.NONE);
        WindowSession session = resumed();
        append("a1", "a2");
        WindowPage page = session.read(PLENTY).orElseThrow();
        assertThat(standing(Optional.of(page.end()))).isEqualTo(Standing.AHEAD);
        commit(session, page.end());
        session.close();
        assertThat(standing(committed)).isEqualTo(Standing.SAME);
        assertThat(standing(Optional.of(page.positionOf(0)))).isEqualTo(Standing.BEHIND);
        assertThat(standing(Optional.empty())).isEqualTo(Standing.LOST);
        assertThat(standing(Optional.of(new WindowPosition(UUID.randomUUID(), 1))))
                .isEqualTo(Standing.UNKNOWN);
        String origin = session().origin();
        assertThat(positions().writerId(RELAY)).isEqualTo("waybill-" + origin + "-relay");
        open().close();
        assertThat(standing(committed)).as("after the other mode").isEqualTo(Standing.NONE);
    }

    private Standing standing(Optional<WindowPosition> atDestination) {
        return positions().compare(RELAY, atDestination.map(WindowPosition::toString));
    }

    private PositionAdmin positions() {
        return (PositionAdmin) journal().admin();
    }
}
