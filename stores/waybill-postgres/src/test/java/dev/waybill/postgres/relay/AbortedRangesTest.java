package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.journal.Durability;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.testkit.ExplainedStatements;
import dev.waybill.testkit.ExplainedStatements.Explained;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A transaction that appended very many events and was rolled back leaves a range of seqs without events. No single statement
 * of a relay reads all of it, and the position inside it is saved.
 */
class AbortedRangesTest extends JournalFixture {
    private static final int ABORTED = 200_000;
    private static final Limits A_BATCH = new Limits(500, 10_000_000);
    /** Pages of 8 kB that one statement may touch; the whole range has more. */
    private static final int BOUND = 3_000;

    private final ExplainedStatements statements = new ExplainedStatements(database.dataSource());

    @Test
    void a_window_over_a_rolled_back_range_is_read_in_bounded_pages() throws SQLException {
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        assertThat(drain(session)).isEmpty();
        append("a1");
        rollBackMany(begin());
        append("a2");

        assertThat(drainBounded(session)).containsExactly("a1", "a2");
    }

    @Test
    void a_rolled_back_transaction_that_a_poll_saw_in_progress_is_read_in_bounded_pages() throws SQLException {
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        Connection large = begin();
        takeXid(large);
        assertThat(drain(session)).isEmpty();
        rollBackMany(large);
        append("a1");

        assertThat(drainBounded(session)).containsExactly("a1");
    }

    @Test
    void a_rolled_back_transaction_in_the_list_of_a_snapshot_is_read_in_bounded_pages() throws SQLException {
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        Connection large = begin();
        takeXid(large);
        append("a1");
        assertThat(drain(session)).containsExactly("a1");
        rollBackMany(large);
        append("a2");

        assertThat(drainBounded(session)).containsExactly("a2");
    }

    /** Each subtransaction that writes takes an xid, and until one has ended they are all above the snapshot's xmax. */
    @Test
    void a_late_transaction_is_found_among_thousands_of_xids() throws SQLException {
        RelaySession session = open(PostgresJournal.on(statements.dataSource(), options()));
        Connection late = begin();
        try (Statement statement = late.createStatement()) {
            statement.execute("""
                    do $$ begin
                        for i in 1..3000 loop
                            begin
                                insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                                values ('n' || i, 'Thing', 'a', '{}');
                            exception when division_by_zero then null;
                            end;
                        end loop;
                    end $$""");
        }
        assertThat(drain(session)).isEmpty();
        statements.take();
        assertThat(drain(session)).isEmpty();
        assertThat(statements.take())
                .as("while none of them has ended")
                .extracting(Explained::sql)
                .isNotEmpty()
                .doesNotContain(WindowReader.LATE_XIDS);
        late.commit();
        append("a1");

        assertThat(drainBounded(session)).hasSize(3_001).startsWith("n1", "n2").endsWith("n3000", "a1");
    }

    @Test
    void the_position_inside_a_rolled_back_range_is_saved() throws SQLException {
        RelaySession session = open();
        append("a1");
        assertThat(drain(session)).containsExactly("a1");
        rollBackMany(begin());
        append("a2");
        // The first page covers 50,000 seqs, the second at most twice as many.
        for (int page = 0; page < 2; page++) {
            clock().advance(JournalOptions.defaults().saveWithin().plusMillis(1));
            Batch batch = session.claim(A_BATCH).orElseThrow();
            assertThat(batch.events()).isEmpty();
            publish(session, batch);
        }

        assertThat(database.number("select seq from waybill.relay where name = 'relay'"))
                .isGreaterThanOrEqualTo(50_000);
    }

    private List<String> drainBounded(RelaySession session) {
        statements.take();
        List<String> published = new ArrayList<>();
        for (Optional<Batch> batch = session.claim(A_BATCH); batch.isPresent(); batch = session.claim(A_BATCH)) {
            published.addAll(names(batch.get()));
            publish(session, batch.get());
        }
        assertThat(statements.take())
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.buffers()).as(one.toString()).isLessThanOrEqualTo(BOUND))
                .extracting(Explained::sql)
                .contains(Poller.statement(Durability.VISIBLE));
        return published;
    }

    private static void takeXid(Connection transaction) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("select pg_current_xact_id()");
        }
    }

    private static void rollBackMany(Connection transaction) throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("""
                    insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                    select 'undone', 'Thing', 'a', '{}' from generate_series(1, %d)""".formatted(ABORTED));
        }
        transaction.rollback();
    }
}
