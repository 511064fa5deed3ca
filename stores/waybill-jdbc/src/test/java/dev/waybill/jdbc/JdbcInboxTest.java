package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.EventIds;
import dev.waybill.Inbox;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.admin.PurgeStep;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import dev.waybill.tck.Seeds;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class JdbcInboxTest {
    private static final String CONSUMER = "billing";

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_connection_in_autocommit_is_refused_with_the_remedy(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        try (Connection connection = inbox.database.connect()) {
            assertThatExceptionOfType(NoTransactionException.class)
                    .isThrownBy(() -> inbox.inbox.handleOnce(
                            connection, CONSUMER, Incoming.event("e"), open -> inbox.leaveEffect(open, "paid")))
                    .withMessageContaining("setAutoCommit(false)");
        }
        assertThat(inbox.effects("paid")).isZero();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void cleanup_deletes_old_records_in_steps(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        for (int i = 0; i < 25; i++) {
            handle(inbox, "old-" + i);
        }
        inbox.database.execute("update waybill_inbox set handled_at = timestamp '2020-01-01 00:00:00'");
        handle(inbox, "young");

        try (Connection connection = inbox.database.connect()) {
            Duration month = InboxLayout.DEFAULT_REPLAY_WINDOW;
            assertThat(inbox.inbox.purge(connection, CONSUMER, month, 10)).isEqualTo(new PurgeStep(10, true));
            assertThat(inbox.inbox.purge(connection, CONSUMER, month, 10)).isEqualTo(new PurgeStep(10, true));
            assertThat(inbox.inbox.purge(connection, CONSUMER, month, 10)).isEqualTo(new PurgeStep(5, false));
        }

        assertThat(handle(inbox, "young")).isEqualTo(Outcome.DUPLICATE);
        assertThat(handle(inbox, "old-1")).isEqualTo(Outcome.HANDLED);
    }

    @Test
    void cleanup_within_the_replay_window_is_refused() throws SQLException {
        InboxDatabase inbox =
                InboxDatabase.create(TableDialect.H2, InboxLayout.waybill().replayWindow(Duration.ofDays(7)));
        try (Connection connection = inbox.database.connect()) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> inbox.inbox.purge(connection, CONSUMER, Duration.ofDays(6), 10))
                    .withMessageContaining("PT168H")
                    .withMessageContaining("twice");
        }
    }

    @Test
    void a_table_for_uuids_refuses_other_ids_and_waybills_own_accepts_any() throws SQLException {
        InboxDatabase uuids = InboxDatabase.create(TableDialect.POSTGRESQL, InboxLayout.processedEvents(CONSUMER));
        InboxDatabase any = InboxDatabase.create(TableDialect.POSTGRESQL, InboxLayout.waybill());

        assertThatExceptionOfType(InvalidEventException.class).isThrownBy(() -> handle(uuids, "evt-123-456"));
        assertThat(handle(any, "evt-123-456")).isEqualTo(Outcome.HANDLED);
        assertThat(handle(any, "'; drop table waybill_inbox; -- 🍰")).isEqualTo(Outcome.HANDLED);
        assertThat(handle(any, "'; drop table waybill_inbox; -- 🍰")).isEqualTo(Outcome.DUPLICATE);
    }

    /** Java parses them as UUIDs, truncates their parts, and gets the same UUID for both. */
    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void ids_that_only_look_like_uuids_stay_distinct(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.processedEvents("billing"));
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        for (String id : List.of("100000001-2-3-4-5", "200000001-2-3-4-5", "1-2-3-4-5")) {
            assertThatThrownBy(() -> transactions.call(
                            open -> inbox.inbox.handleOnce(open, "billing", Incoming.event(id), in -> {})))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContaining("InboxLayout.waybill()");
            assertThatThrownBy(() -> transactions.call(open ->
                            inbox.inbox.handleAll(open, "billing", List.of(id), Incoming::event, (in, event) -> {})))
                    .isInstanceOf(InvalidEventException.class);
        }
        String upper = "0F8FAD5B-D9CB-469F-A165-70867728950E";
        List<Inbox.Outcome> outcomes = new ArrayList<>();
        for (String id : List.of(upper, upper.toLowerCase(Locale.ROOT))) {
            outcomes.add(
                    transactions.call(open -> inbox.inbox.handleOnce(open, "billing", Incoming.event(id), in -> {})));
        }
        assertThat(outcomes).containsExactly(Inbox.Outcome.HANDLED, Inbox.Outcome.DUPLICATE);
    }

    @Test
    void consumer_groups_keep_the_entity_and_version() throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.POSTGRESQL, InboxLayout.consumerGroups());
        JdbcTransactions.on(inbox.database.dataSource())
                .call(open -> inbox.inbox.handleOnce(
                        open, CONSUMER, Incoming.event("e1").ofEntity("65a1b2c3", 5), nothing -> {}));

        assertThat(inbox.database.rows("select * from processed_events"))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("consumer_group", CONSUMER)
                        .containsEntry("event_id", "e1")
                        .containsEntry("entity_id", "65a1b2c3")
                        .containsEntry("entity_version", 5L));
    }

    /** Every event one to five times, shuffled, by four threads at once. */
    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void deliveries_shuffled_and_concurrent_have_one_effect_each(TableDialect dialect) throws Exception {
        long seed = Seeds.one();
        System.out.println("seed " + seed + " on " + dialect);
        Random random = new Random(seed);
        List<String> deliveries = new ArrayList<>();
        int events = 200;
        for (int i = 0; i < events; i++) {
            String id = EventIds.next();
            for (int times = 1 + random.nextInt(5); times > 0; times--) {
                deliveries.add(id);
            }
        }
        Collections.shuffle(deliveries, random);
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());

        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            deliveries.forEach(id -> outcomes.add(threads.submit(() -> handleUntilDone(inbox, id))));
            int handled = 0;
            for (Future<Outcome> outcome : outcomes) {
                handled += outcome.get(60, TimeUnit.SECONDS) instanceof Outcome.Handled ? 1 : 0;
            }
            assertThat(handled).isEqualTo(events);
        } finally {
            threads.shutdownNow();
        }
        assertThat(inbox.effects("paid")).isEqualTo(events);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void two_new_versions_of_an_entity_at_once_are_compared_one_after_the_other(TableDialect dialect) throws Exception {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Incoming event = Incoming.event(EventIds.next()).ofEntity("Order:1", 7);
                outcomes.add(threads.submit(() -> handleUntilDone(inbox, event)));
            }
            int handled = 0;
            for (Future<Outcome> outcome : outcomes) {
                handled += outcome.get(60, TimeUnit.SECONDS) instanceof Outcome.Handled ? 1 : 0;
            }
            assertThat(handled).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
        assertThat(inbox.effects("paid")).isEqualTo(1);
    }

    @Test
    void a_serialisation_failure_is_a_conflict_and_not_a_failure() throws Exception {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.POSTGRESQL, InboxLayout.waybill());
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        inbox.database.execute("insert into effect values ('seats')");

        assertThatExceptionOfType(TransactionConflictException.class)
                .isThrownBy(() -> transactions.call(open -> {
                    open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                    try (var statement = open.createStatement()) {
                        statement.executeQuery("select * from effect").close();
                        inbox.database.execute("update effect set name = 'seats!'");
                        statement.execute("update effect set name = 'seats?'");
                    }
                    return null;
                }));
    }

    @Test
    void a_lost_connection_means_that_the_database_is_unavailable() throws Exception {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.POSTGRESQL, InboxLayout.waybill());
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());

        assertThatExceptionOfType(TransactionsUnavailableException.class)
                .isThrownBy(() -> transactions.call(open -> {
                    try (var statement = open.createStatement();
                            var row = statement.executeQuery("select pg_backend_pid()")) {
                        row.next();
                        inbox.database.execute("select pg_terminate_backend(" + row.getInt(1) + ", 10000)");
                    }
                    return inbox.inbox.handleOnce(open, CONSUMER, Incoming.event("e"), nothing -> {});
                }));
    }

    @Test
    void exceptions_of_a_handler_are_thrown_unchanged() throws Exception {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.H2, InboxLayout.waybill());
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        IOException failure = new IOException("no paper");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> transactions.call(open -> {
                    inbox.leaveEffect(open, "printed");
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(inbox.effects("printed")).isZero();
    }

    private static Outcome handle(InboxDatabase inbox, String id) {
        return handle(inbox, Incoming.event(id));
    }

    private static Outcome handle(InboxDatabase inbox, Incoming event) {
        return JdbcTransactions.on(inbox.database.dataSource())
                .call(open ->
                        inbox.inbox.handleOnce(open, CONSUMER, event, effect -> inbox.leaveEffect(effect, "paid")));
    }

    private static Outcome handleUntilDone(InboxDatabase inbox, String id) {
        return handleUntilDone(inbox, Incoming.event(id));
    }

    private static Outcome handleUntilDone(InboxDatabase inbox, Incoming event) {
        while (true) {
            try {
                return handle(inbox, event);
            } catch (TransactionConflictException e) {
                Thread.onSpinWait();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"MARIADB, latin1_swedish_ci", "MARIADB, utf8mb4_general_ci", "MARIADB, latin1_bin", "H2, ''"})
    void an_event_is_no_duplicate_of_one_whose_id_is_equal_under_the_collation_only(
            TableDialect dialect, String collation) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        if (dialect == TableDialect.MARIADB) {
            inbox.database.execute("alter table waybill_inbox convert to character set "
                    + collation.split("_", 2)[0] + " collate " + collation);
        } else {
            inbox.database.execute(
                    "alter table waybill_inbox alter column event_id set data type varchar_ignorecase(255)");
        }
        String alike = collation.endsWith("_bin") ? "evt-a " : "evt-A";

        assertThat(handle(inbox, "evt-a")).isEqualTo(Outcome.HANDLED);
        assertThatExceptionOfType(InvalidEventException.class)
                .isThrownBy(() -> handle(inbox, alike))
                .withMessageContaining("treats the event's id");
        assertThat(handle(inbox, "evt-a")).isEqualTo(Outcome.DUPLICATE);
    }
}
