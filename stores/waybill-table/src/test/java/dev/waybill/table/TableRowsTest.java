package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Problems that outbox tables had in production, on PostgreSQL. */
class TableRowsTest {
    private static final Actor ANNA = new Actor("anna", "mended");
    private static final Duration SHORT = Duration.ofSeconds(5);

    private final List<Connection> transactions = new ArrayList<>();
    private TableFixture fixture;

    private RelaySession open(TableLayout layout) throws SQLException {
        fixture = new TableFixture(TableDialect.POSTGRESQL, layout);
        return fixture.open("one");
    }

    private Connection begin() throws SQLException {
        Connection connection = fixture.database.begin();
        transactions.add(connection);
        return connection;
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection transaction : transactions) {
            transaction.close();
        }
        fixture.close();
    }

    @Test
    void a_late_commit_is_not_overtaken_by_later_rows() throws SQLException {
        RelaySession session = open(TableLayout.waybill());
        Connection late = begin();
        String first = fixture.append(late, "a");
        for (int i = 0; i < 5; i++) {
            fixture.append("b");
            fixture.passNanos(Duration.ofSeconds(5));
            assertThat(TableFixture.drain(session)).hasSize(1);
        }
        late.commit();
        String second = fixture.append("a");

        assertThat(TableFixture.drain(session)).containsExactly(first, second);
    }

    @Test
    void an_open_transaction_does_not_delay_other_rows_and_its_rows_are_found_when_it_commits() throws SQLException {
        RelaySession session = open(TableLayout.pubsub());
        Connection open = begin();
        String late = fixture.append(open, "a");
        String other = fixture.append("b");
        assertThat(TableFixture.drain(session)).containsExactly(other);
        fixture.passNanos(Duration.ofSeconds(30));
        String third = fixture.append("c");
        assertThat(TableFixture.drain(session)).containsExactly(third);

        open.commit();
        assertThat(TableFixture.drain(session)).containsExactly(late);
    }

    @Test
    void a_row_with_the_start_time_of_its_long_transaction_is_found_within_a_second() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        String now = fixture.append("b");
        assertThat(TableFixture.drain(session)).containsExactly(now);
        String old = insertDated("clock_timestamp() at time zone 'UTC' - interval '5 minutes'");
        List<String> came = new ArrayList<>(TableFixture.drain(session));
        fixture.passNanos(Duration.ofMillis(1_100));
        came.addAll(TableFixture.drain(session));

        assertThat(came).containsExactly(old);
    }

    @Test
    void a_row_of_any_date_is_found_by_the_sweep() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        fixture.append("b");
        assertThat(TableFixture.drain(session)).hasSize(1);
        String old = insertDated("timestamp '2001-01-01 00:00:00'");
        assertThat(TableFixture.drain(session)).isEmpty();
        fixture.passNanos(Duration.ofSeconds(61));

        assertThat(TableFixture.drain(session)).containsExactly(old);
    }

    private String insertDated(String createdAt) throws SQLException {
        String id = java.util.UUID.randomUUID().toString();
        fixture.database.execute(
                "insert into outbox (id, aggregate_type, aggregate_id, event_type, payload, status, created_at)"
                        + " values ('" + id + "', 'Order', gen_random_uuid(), 'OrderCreated', '{}', 'NEW', " + createdAt
                        + ")");
        return id;
    }

    @Test
    void a_killed_connection_ends_the_session_and_its_rows_are_claimed_again() throws SQLException {
        RelaySession session = open(TableLayout.polyshop());
        String id = fixture.append("a");
        Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
        fixture.database.execute("""
                select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid()""");
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> TableFixture.publish(session, out));

        assertThat(TableFixture.drain(fixture.open("one"))).containsExactly(id);
    }

    @Test
    void an_older_epoch_marks_nothing() throws SQLException {
        RelaySession old = open(TableLayout.orders());
        String id = fixture.append("a");
        Batch out = old.claim(TableFixture.PLENTY).orElseThrow();
        fixture.open("one");

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> TableFixture.publish(old, out));
        assertThat(fixture.row(id)).containsEntry("status", "NEW").containsEntry("sent_at", null);
    }

    @Test
    void o2_six_sends_with_their_waits_then_failed_with_its_error_and_requeue_publishes_it() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        RetryPolicy policy = TableLayout.orders().relayDefaults().retry();
        String id = fixture.append("a");
        List<Long> waits = new ArrayList<>();
        Optional<Batch> batch = session.claim(TableFixture.PLENTY);
        while (batch.isPresent()) {
            int attempts = batch.get().events().get(0).attempts();
            Optional<Duration> wait = policy.afterAttempt(attempts + 1);
            session.settle(batch.get(), List.of(failure(wait)));
            if (attempts == 2) {
                session.close();
                session = fixture.open("two");
            }
            wait.ifPresent(time -> {
                waits.add(time.toMillis());
                fixture.clock.advance(time.minusMillis(1));
            });
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            fixture.clock.advance(Duration.ofMillis(1));
            batch = session.claim(TableFixture.PLENTY);
        }

        assertThat(waits).containsExactly(100L, 200L, 400L, 800L, 1_600L);
        assertThat(fixture.row(id))
                .containsEntry("status", "FAILED")
                .containsEntry("error_message", "kafka says no")
                .containsEntry("sent_at", null);
        assertThat(fixture.store().admin().requeue(TableFixture.RELAY, Selection.of(id), ANNA))
                .isEqualTo(1);
        assertThat(fixture.row(id)).containsEntry("status", "NEW");
        assertThat(TableFixture.drain(session)).containsExactly(id);
        assertThat(fixture.row(id)).containsEntry("status", "SENT");
        assertThat(fixture.row(id).get("sent_at")).isNotNull();
    }

    @Test
    void p2_g5_the_error_of_a_temporary_failure_is_stored_and_stays_when_the_row_is_sent() throws SQLException {
        for (TableLayout layout : List.of(TableLayout.polyshop(), TableLayout.pubsub())) {
            String error = layout.column(TableColumn.ERROR).orElseThrow();
            String published = layout.column(TableColumn.PUBLISHED_AT).orElseThrow();
            RelaySession session = open(layout);
            String id = fixture.append("a");
            session.settle(
                    session.claim(TableFixture.PLENTY).orElseThrow(),
                    List.of(failure(Optional.of(Duration.ofSeconds(1)))));
            assertThat(fixture.row(id)).containsEntry(error, "kafka says no").containsEntry(published, null);

            fixture.clock.advance(Duration.ofSeconds(1));
            assertThat(TableFixture.drain(session)).containsExactly(id);
            assertThat(fixture.row(id)).containsEntry(error, "kafka says no");
            assertThat(fixture.row(id).get(published)).isNotNull();
            session.close();
        }
    }

    private Settlement failure(Optional<Duration> wait) {
        return wait.isPresent()
                ? new Settlement.RetryAt(fixture.clock.instant().plus(wait.get()), "kafka says no")
                : new Settlement.Dead("kafka says no", true, false);
    }

    @Test
    void a_failed_row_set_to_new_by_sql_is_requeued() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        String dead = fixture.append("a");
        String held = fixture.append("a");
        assertThat(TableFixture.drain(
                        session, Map.of(dead, new Settlement.Dead("no", true, true), held, Settlement.BEHIND)))
                .isEmpty();
        fixture.execute("update {table} set status = 'NEW' where status = 'FAILED'");
        fixture.passNanos(Duration.ofSeconds(61));

        assertThat(TableFixture.drain(session)).containsExactly(dead, held);
    }

    @Test
    void g5_g6_failures_are_counted_in_the_row_and_a_refused_one_has_the_most() throws SQLException {
        RelaySession session = open(TableLayout.pubsub());
        String failing = fixture.append("a");
        String refused = fixture.append("b");
        TableFixture.drain(
                session,
                Map.of(failing, fixture.retryIn(SHORT), refused, new Settlement.Dead("unknown type", false, false)));

        assertThat(fixture.row(failing))
                .containsEntry("attempt_count", 1)
                .containsEntry("last_error", "the broker said no")
                .containsEntry("published_at", null);
        assertThat(fixture.row(refused))
                .containsEntry("attempt_count", 25)
                .containsEntry("last_error", "unknown type")
                .containsEntry("published_at", null);
    }

    @Test
    void g12_a_row_that_fails_for_the_last_time_its_table_allows_is_dead() throws SQLException {
        RelaySession session = open(TableLayout.pubsub());
        String id = fixture.append("a");
        fixture.execute("update {table} set attempt_count = 24");
        TableFixture.drain(session, Map.of(id, new Settlement.Dead("the broker said no", true, false)));

        assertThat(TableFixture.drain(session)).isEmpty();
        assertThat(fixture.row(id)).containsEntry("attempt_count", 25);
        assertThat(fixture.store().admin().parked(ParkedQuery.of(TableFixture.RELAY)))
                .singleElement()
                .matches(parked -> parked.state() == ParkedState.DEAD);
    }

    @Test
    void p5_a_permanent_error_is_stored_and_kept_or_marked_processed_as_configured() throws SQLException {
        RelaySession keeping = open(TableLayout.polyshop());
        String kept = fixture.append("a");
        TableFixture.drain(keeping, Map.of(kept, new Settlement.Dead("no such topic", true, false)));
        assertThat(fixture.row(kept)).containsEntry("processed", false).containsEntry("error_message", "no such topic");
        keeping.close();

        fixture.with(options -> options.onPermanentError(TableOptions.OnPermanentError.MARK_PUBLISHED));
        String marked = fixture.append("b");
        TableFixture.drain(fixture.open("one"), Map.of(marked, new Settlement.Dead("no such topic", true, false)));
        assertThat(fixture.row(marked))
                .containsEntry("processed", true)
                .containsEntry("error_message", "no such topic")
                .containsEntry("processed_at", null);
    }

    @Test
    void a_long_error_is_cut_between_characters_to_the_length_of_its_column() throws SQLException {
        RelaySession session = open(TableLayout.orders()
                .change()
                .column(TableColumn.ERROR, "error_message", 10)
                .build());
        String id = fixture.append("a");
        TableFixture.drain(session, Map.of(id, new Settlement.Dead("12345678🚚🚚🚚", true, false)));

        assertThat(fixture.row(id)).containsEntry("error_message", "12345678…");
    }

    @Test
    void a_discarded_row_is_done_and_names_the_operator() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        String id = fixture.append("a");
        TableFixture.drain(session, Map.of(id, new Settlement.Dead("no", true, false)));
        fixture.store().admin().discard(TableFixture.RELAY, Selection.of(id), ANNA);

        assertThat(fixture.row(id)).containsEntry("status", "SENT").containsEntry("sent_at", null);
        assertThat(fixture.row(id).get("error_message")).asString().startsWith("Discarded by anna (mended)");
    }
}
