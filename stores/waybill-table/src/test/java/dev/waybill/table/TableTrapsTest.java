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

/** Where tables in the field fell, on PostgreSQL. */
class TableTrapsTest {
    private static final Actor ANNA = new Actor("anna", "mended");
    private static final Duration SHORT = Duration.ofSeconds(5);

    private final List<Connection> transactions = new ArrayList<>();
    private TableWorld world;

    private RelaySession open(TableLayout layout) throws SQLException {
        world = new TableWorld(TableDialect.POSTGRESQL, layout);
        return world.open("one");
    }

    private Connection begin() throws SQLException {
        Connection connection = world.database.begin();
        transactions.add(connection);
        return connection;
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection transaction : transactions) {
            transaction.close();
        }
        world.close();
    }

    // ---- late commits

    @Test
    void a_late_commit_is_not_overtaken_by_what_followed_it() throws SQLException {
        RelaySession session = open(TableLayout.waybill());
        Connection late = begin();
        String first = world.append(late, "a");
        for (int i = 0; i < 5; i++) {
            world.append("b");
            world.passNanos(Duration.ofSeconds(5));
            assertThat(TableWorld.drain(session)).hasSize(1);
        }
        late.commit();
        String second = world.append("a");

        assertThat(TableWorld.drain(session)).containsExactly(first, second);
    }

    @Test
    void a_transaction_left_open_holds_nobody_up_and_is_found_when_it_ends() throws SQLException {
        RelaySession session = open(TableLayout.pubsub());
        Connection open = begin();
        String late = world.append(open, "a");
        String other = world.append("b");
        assertThat(TableWorld.drain(session)).containsExactly(other);
        world.passNanos(Duration.ofSeconds(30));
        String third = world.append("c");
        assertThat(TableWorld.drain(session)).containsExactly(third);

        open.commit();
        assertThat(TableWorld.drain(session)).containsExactly(late);
    }

    @Test
    void a_row_dated_by_the_start_of_its_long_transaction_is_found_within_a_second() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        String now = world.append("b");
        assertThat(TableWorld.drain(session)).containsExactly(now);
        String old = insertDated("clock_timestamp() at time zone 'UTC' - interval '5 minutes'");
        List<String> came = new ArrayList<>(TableWorld.drain(session));
        world.passNanos(Duration.ofMillis(1_100));
        came.addAll(TableWorld.drain(session));

        assertThat(came).containsExactly(old);
    }

    @Test
    void a_row_of_any_date_is_found_by_the_sweep() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        world.append("b");
        assertThat(TableWorld.drain(session)).hasSize(1);
        String old = insertDated("timestamp '2001-01-01 00:00:00'");
        assertThat(TableWorld.drain(session)).isEmpty();
        world.passNanos(Duration.ofSeconds(61));

        assertThat(TableWorld.drain(session)).containsExactly(old);
    }

    private String insertDated(String createdAt) throws SQLException {
        String id = java.util.UUID.randomUUID().toString();
        world.database.execute(
                "insert into outbox (id, aggregate_type, aggregate_id, event_type, payload, status, created_at)"
                        + " values ('" + id + "', 'Order', gen_random_uuid(), 'OrderCreated', '{}', 'NEW', " + createdAt
                        + ")");
        return id;
    }

    // ---- the lease

    @Test
    void a_killed_connection_ends_the_session_and_what_was_out_comes_again() throws SQLException {
        RelaySession session = open(TableLayout.polyshop());
        String id = world.append("a");
        Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
        world.database.execute("""
                select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and pid <> pg_backend_pid()""");
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> TableWorld.publish(session, out));

        assertThat(TableWorld.drain(world.open("one"))).containsExactly(id);
    }

    @Test
    void an_older_epoch_marks_nothing() throws SQLException {
        RelaySession old = open(TableLayout.orders());
        String id = world.append("a");
        Batch out = old.claim(TableWorld.PLENTY).orElseThrow();
        world.open("one");

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> TableWorld.publish(old, out));
        assertThat(world.row(id)).containsEntry("status", "NEW").containsEntry("sent_at", null);
    }

    // ---- retries as the documents say

    @Test
    void o2_six_sends_with_their_waits_then_failed_with_its_error_and_requeue_publishes_it() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        RetryPolicy policy = new RetryPolicy(5, Duration.ofMillis(100), 2, Duration.ofSeconds(30));
        String id = world.append("a");
        List<Long> waits = new ArrayList<>();
        Optional<Batch> batch = session.claim(TableWorld.PLENTY);
        while (batch.isPresent()) {
            int attempts = batch.get().events().get(0).attempts();
            Optional<Duration> wait = policy.afterAttempt(attempts + 1);
            session.settle(batch.get(), List.of(failure(wait)));
            if (attempts == 2) {
                session.close();
                session = world.open("two");
            }
            wait.ifPresent(time -> {
                waits.add(time.toMillis());
                world.clock.advance(time.minusMillis(1));
            });
            assertThat(session.claim(TableWorld.PLENTY)).isEmpty();
            world.clock.advance(Duration.ofMillis(1));
            batch = session.claim(TableWorld.PLENTY);
        }

        assertThat(waits).containsExactly(100L, 200L, 400L, 800L, 1_600L);
        assertThat(world.row(id))
                .containsEntry("status", "FAILED")
                .containsEntry("error_message", "kafka says no")
                .containsEntry("sent_at", null);
        assertThat(world.store().admin().requeue(TableWorld.RELAY, Selection.of(id), ANNA))
                .isEqualTo(1);
        assertThat(world.row(id)).containsEntry("status", "NEW");
        assertThat(TableWorld.drain(session)).containsExactly(id);
        assertThat(world.row(id)).containsEntry("status", "SENT");
        assertThat(world.row(id).get("sent_at")).isNotNull();
    }

    private Settlement failure(Optional<Duration> wait) {
        return wait.isPresent()
                ? new Settlement.RetryAt(world.clock.instant().plus(wait.get()), "kafka says no")
                : new Settlement.Dead("kafka says no", true, false);
    }

    @Test
    void failed_set_back_to_new_with_plain_sql_is_requeued() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        String dead = world.append("a");
        String held = world.append("a");
        assertThat(TableWorld.drain(
                        session, Map.of(dead, new Settlement.Dead("no", true, true), held, Settlement.BEHIND)))
                .isEmpty();
        world.execute("update {table} set status = 'NEW' where status = 'FAILED'");
        world.passNanos(Duration.ofSeconds(61));

        assertThat(TableWorld.drain(session)).containsExactly(dead, held);
    }

    @Test
    void g5_g6_failures_are_counted_in_the_row_and_a_refused_one_has_the_most() throws SQLException {
        RelaySession session = open(TableLayout.pubsub());
        String failing = world.append("a");
        String refused = world.append("b");
        TableWorld.drain(
                session,
                Map.of(failing, world.retryIn(SHORT), refused, new Settlement.Dead("unknown type", false, false)));

        assertThat(world.row(failing))
                .containsEntry("attempt_count", 1)
                .containsEntry("last_error", "the broker said no")
                .containsEntry("published_at", null);
        assertThat(world.row(refused))
                .containsEntry("attempt_count", 25)
                .containsEntry("last_error", "unknown type")
                .containsEntry("published_at", null);
    }

    @Test
    void g12_a_row_that_fails_for_the_last_time_its_table_allows_is_dead() throws SQLException {
        RelaySession session = open(TableLayout.pubsub());
        String id = world.append("a");
        world.execute("update {table} set attempt_count = 24");
        TableWorld.drain(session, Map.of(id, world.retryIn(SHORT)));
        world.clock.advance(SHORT);

        assertThat(TableWorld.drain(session)).isEmpty();
        assertThat(world.row(id)).containsEntry("attempt_count", 25);
        assertThat(world.store().admin().parked(ParkedQuery.of(TableWorld.RELAY)))
                .singleElement()
                .matches(parked -> parked.state() == ParkedState.DEAD);
    }

    @Test
    void p5_a_permanent_error_is_stored_and_kept_or_marked_processed_as_configured() throws SQLException {
        RelaySession keeping = open(TableLayout.polyshop());
        String kept = world.append("a");
        TableWorld.drain(keeping, Map.of(kept, new Settlement.Dead("no such topic", true, false)));
        assertThat(world.row(kept)).containsEntry("processed", false).containsEntry("error_message", "no such topic");
        keeping.close();

        world.with(options -> options.onPermanentError(TableOptions.OnPermanentError.MARK_PUBLISHED));
        String marked = world.append("b");
        TableWorld.drain(world.open("one"), Map.of(marked, new Settlement.Dead("no such topic", true, false)));
        assertThat(world.row(marked))
                .containsEntry("processed", true)
                .containsEntry("error_message", "no such topic")
                .containsEntry("processed_at", null);
    }

    @Test
    void a_long_error_is_cut_between_characters_to_what_the_layout_takes() throws SQLException {
        RelaySession session = open(TableLayout.orders()
                .change()
                .column(TableColumn.ERROR, "error_message", 10)
                .build());
        String id = world.append("a");
        TableWorld.drain(session, Map.of(id, new Settlement.Dead("12345678🚚🚚🚚", true, false)));

        assertThat(world.row(id)).containsEntry("error_message", "12345678…");
    }

    @Test
    void a_discarded_row_is_done_with_and_says_by_whom() throws SQLException {
        RelaySession session = open(TableLayout.orders());
        String id = world.append("a");
        TableWorld.drain(session, Map.of(id, new Settlement.Dead("no", true, false)));
        world.store().admin().discard(TableWorld.RELAY, Selection.of(id), ANNA);

        assertThat(world.row(id)).containsEntry("status", "SENT").containsEntry("sent_at", null);
        assertThat(world.row(id).get("error_message")).asString().startsWith("Discarded by anna (mended)");
    }
}
