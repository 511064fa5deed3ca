package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.AppendException;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.WakeSignal;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.JournalInsert;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.spi.RelaySession;
import dev.waybill.testkit.Await;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JdbcOutboxTest extends JournalFixture {
    private static final JdbcOutbox OUTBOX = JdbcOutbox.journal();
    private static final JdbcOutbox LOCKING =
            JdbcOutbox.journal(OutboxOptions.defaults().lockKeys(true));

    // ---- refusals

    @Test
    void a_connection_in_autocommit_is_refused_with_the_remedy() throws SQLException {
        Connection connection = tracked(database.connect());
        assertThatThrownBy(() -> OUTBOX.append(connection, event("a1")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContainingAll("autocommit", "setAutoCommit(false)");
        assertThatThrownBy(() -> OUTBOX.appendIfAbsent(connection, event("a1")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(events()).isZero();
    }

    @Test
    void an_id_that_is_no_uuid_is_refused_with_the_remedy() throws SQLException {
        Connection transaction = begin();
        for (String id : List.of("order-1", "1-2-3-4-5", "0191f2f0-0000-7000-8000-00000000000g")) {
            Event event =
                    Event.of("t").aggregate("A", "1").payload(Payload.json("1")).id(id);
            assertThatThrownBy(() -> OUTBOX.append(transaction, event))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContainingAll("UUID", id, "leave the id out");
        }
        append(transaction, "a1");
        transaction.commit();
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void a_payload_over_the_limit_is_refused_with_the_numbers_and_the_remedy() throws SQLException {
        JdbcOutbox small = JdbcOutbox.journal(OutboxOptions.defaults().maxPayloadBytes(10));
        Connection transaction = begin();
        Event fits = payload("\"12345678\"");
        Event tooLarge = payload("\"123456789\"");

        assertThatThrownBy(() -> small.append(transaction, fits, tooLarge))
                .isInstanceOf(InvalidEventException.class)
                .hasMessageContainingAll(tooLarge.id(), "11 bytes", "at most 10", "send a reference", "maxPayloadBytes")
                .hasMessageNotContaining("123456789");
        small.append(transaction, fits);
        transaction.commit();
        assertThat(events()).isEqualTo(1);
    }

    @Test
    void the_default_limit_leaves_room_in_a_megabyte() throws SQLException {
        Connection transaction = begin();
        OUTBOX.append(transaction, payload('"' + "x".repeat(999_998) + '"'));
        assertThatThrownBy(() -> OUTBOX.append(transaction, payload('"' + "x".repeat(999_999) + '"')))
                .hasMessageContainingAll("1000001 bytes", "at most 1000000");
    }

    private static Event payload(String json) {
        return Event.of("t").aggregate("A", "1").payload(Payload.json(json));
    }

    @Test
    void the_same_id_twice_is_an_error_that_names_it_and_the_alternative() throws SQLException {
        Event event = event("a1");
        Connection transaction = begin();
        OUTBOX.append(transaction, event);
        transaction.commit();

        assertThatThrownBy(() -> OUTBOX.append(transaction, event))
                .isInstanceOf(DuplicateEventException.class)
                .hasMessageContainingAll(event.id(), "a1", "Roll the transaction back", "appendIfAbsent");
        transaction.rollback();
        assertThatThrownBy(() -> OUTBOX.append(transaction, event("b1"), event))
                .isInstanceOf(DuplicateEventException.class)
                .hasMessageContaining("2 events");
        transaction.rollback();

        assertThat(OUTBOX.appendIfAbsent(transaction, event, event("b2"))).isEqualTo(1);
        transaction.commit();
        assertThat(drain(open())).containsExactly("a1", "b2");
    }

    @Test
    void a_database_without_the_journal_is_an_error_with_its_sqlstate() throws SQLException {
        Connection transaction = tracked(JournalDatabase.withoutJournal().begin());
        assertThatThrownBy(() -> OUTBOX.append(transaction, event("a1")))
                .isInstanceOf(AppendException.class)
                .hasMessageContainingAll("SQLSTATE 42P01", "waybill.event", "Roll the transaction back");
    }

    @Test
    void values_of_an_event_do_not_appear_in_errors() throws SQLException {
        database.execute("alter table waybill.event add constraint picky check (type <> 'forbidden')");
        Event event = Event.of("forbidden")
                .aggregate("Person", "CANARY-aggregate")
                .payload(Payload.json("\"CANARY-payload\""))
                .key("CANARY-key")
                .header("name", "CANARY-header");
        try {
            Connection transaction = begin();
            Throwable thrown = catchThrowable(() -> OUTBOX.append(transaction, event));

            StringWriter log = new StringWriter();
            thrown.printStackTrace(new PrintWriter(log));
            assertThat(thrown).isInstanceOf(AppendException.class).hasMessageContainingAll("picky", "SQLSTATE 23514");
            assertThat(log.toString()).contains(event.id()).doesNotContain("CANARY");
        } finally {
            database.execute("alter table waybill.event drop constraint picky");
        }
    }

    // ---- many

    @Test
    void events_beyond_the_limit_of_one_statement_keep_their_order() throws SQLException {
        List<Event> events =
                IntStream.range(0, 6_000).mapToObj(i -> event("a" + i)).toList();
        Connection transaction = begin();
        OUTBOX.append(transaction, events);
        transaction.commit();

        assertThat(drain(open())).isEqualTo(events.stream().map(Event::type).toList());
    }

    @Test
    void append_if_absent_counts_only_the_new_events() throws SQLException {
        List<Event> events =
                IntStream.range(0, 2_500).mapToObj(i -> event("a" + i)).toList();
        Connection transaction = begin();
        OUTBOX.append(transaction, events.subList(900, 1_100));
        assertThat(OUTBOX.appendIfAbsent(transaction, events)).isEqualTo(2_300);
        assertThat(OUTBOX.appendIfAbsent(transaction, events)).isZero();
    }

    @Test
    void appending_no_events_runs_no_statement() throws SQLException {
        Connection closed = database.connect();
        closed.close();
        OUTBOX.append(closed, List.of());
        assertThat(OUTBOX.appendIfAbsent(closed, List.of())).isZero();
    }

    // ---- keys as locks

    @Test
    void with_key_locks_an_append_waits_for_the_transaction_that_appended_to_its_key() throws Exception {
        Connection first = begin();
        Connection second = begin();
        LOCKING.append(first, event("b1"), event("a1"));
        RelaySession session = open();

        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> LOCKING.append(second, event("a2"), event("b2")));
        Await.until("the second append waits for a lock", () -> keyLocks("not granted") == 1);
        assertThat(waiting).isNotDone();
        assertThat(events()).isZero();
        first.commit();
        waiting.get();
        assertThat(drain(session)).containsExactly("b1", "a1");
        second.commit();

        assertThat(drain(session)).containsExactly("a2", "b2");
    }

    @Test
    void key_locks_are_taken_in_sorted_order_so_that_no_deadlock_occurs() throws Exception {
        List<String> names = Stream.of("a1", "b1")
                .sorted(Comparator.comparing(
                        name -> JournalInsert.lockOf(event(name).orderKey())))
                .toList();
        Connection first = begin();
        Connection second = begin();
        LOCKING.append(first, event(names.get(0)));
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> LOCKING.append(second, event(names.get(1)), event(names.get(0))));
        Await.until("the second append waits for a lock", () -> keyLocks("not granted") == 1);

        assertThat(keyLocks("granted")).as("locks of the first").isEqualTo(1);
        first.rollback();
        waiting.get();
        assertThat(keyLocks("granted")).isEqualTo(2);
    }

    @Test
    void with_key_locks_other_keys_do_not_wait() throws SQLException {
        Connection first = begin();
        Connection second = begin();
        execute(second, "set lock_timeout = '5s'");
        LOCKING.append(first, event("a1"));
        LOCKING.append(second, event("b1"), event("c1"));
        second.commit();

        assertThat(drain(open())).containsExactly("b1", "c1");
    }

    @Test
    void an_explicit_key_is_locked_instead_of_the_aggregate() throws Exception {
        Connection first = begin();
        Connection second = begin();
        LOCKING.append(first, keyed("A", "shared"));
        CompletableFuture<Void> waiting =
                CompletableFuture.runAsync(() -> LOCKING.append(second, keyed("B", "shared")));
        Await.until("the second append waits for a lock", () -> keyLocks("not granted") == 1);
        first.rollback();
        waiting.get();
    }

    private static Event keyed(String aggregateId, String key) {
        return Event.of("t")
                .aggregate("Thing", aggregateId)
                .payload(Payload.json("1"))
                .key(key);
    }

    @Test
    void without_key_locks_no_append_waits() throws SQLException {
        Connection first = begin();
        Connection second = begin();
        execute(second, "set lock_timeout = '5s'");
        append(first, "a1");
        append(second, "a2");
        second.commit();
        first.commit();

        assertThat(drain(open())).containsExactlyInAnyOrder("a1", "a2");
    }

    private long keyLocks(String condition) throws SQLException {
        return database.number("select count(*) from pg_locks where locktype = 'advisory' and " + condition
                + " and database = (select oid from pg_database where datname = current_database())");
    }

    // ---- waking

    @Test
    void every_successful_append_raises_the_wake_signal_and_no_failed_one_does() throws SQLException {
        AtomicInteger woken = new AtomicInteger();
        WakeSignal signal = WakeSignal.create();
        JdbcOutbox waking = JdbcOutbox.journal(OutboxOptions.defaults().wake(signal));
        signal.add(woken::incrementAndGet);
        Event event = event("a1");
        Connection transaction = begin();

        waking.append(transaction, event, event("a2"));
        assertThat(woken).hasValue(1);
        waking.appendIfAbsent(transaction, event("a3"));
        assertThat(woken).hasValue(2);
        transaction.commit();
        waking.append(transaction, List.of());
        assertThatThrownBy(() -> waking.append(transaction, event)).isInstanceOf(DuplicateEventException.class);
        assertThat(woken).hasValue(2);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long events() throws SQLException {
        return database.number("select count(*) from waybill.event");
    }
}
