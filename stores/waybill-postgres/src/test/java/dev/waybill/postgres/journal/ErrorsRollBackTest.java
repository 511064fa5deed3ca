package dev.waybill.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.testkit.BrokenConnections;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Whatever is thrown inside a transaction, even an Error, nothing is committed, also if the rollback fails. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ErrorsRollBackTest {
    private static final String WRITE = "insert into written default values";
    private final JournalDatabase database = JournalDatabase.create();

    @BeforeAll
    void makeTable() throws SQLException {
        database.execute("create table written (at timestamptz default now())");
    }

    @AfterEach
    void clear() throws SQLException {
        database.execute("delete from written");
    }

    private long written() throws SQLException {
        return database.number("select count(*) from written");
    }

    /** Writes, then throws an OutOfMemoryError. */
    private static Void writeAndFail(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(WRITE);
        }
        throw new OutOfMemoryError("not really");
    }

    @Test
    void an_error_in_a_transaction_of_the_journal_commits_nothing() throws SQLException {
        JournalConnection connection = JournalConnection.open(database.dataSource());
        assertThatThrownBy(() -> connection.inTransaction(() -> {
                    connection.prepare(WRITE).executeUpdate();
                    throw new OutOfMemoryError("not really");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        connection.closeQuietly();

        assertThat(written()).isZero();
    }

    @Test
    void a_rollback_that_fails_closes_the_journals_connection() throws SQLException {
        JournalConnection connection = JournalConnection.open(BrokenConnections.withoutRollback(database.dataSource()));
        assertThatThrownBy(() -> connection.inTransaction(() -> {
                    connection.prepare(WRITE).executeUpdate();
                    throw new IllegalStateException("a bug");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(written()).isZero();
        assertThatThrownBy(() -> connection.prepare("select 1")).isInstanceOf(SQLException.class);
        connection.closeQuietly();
    }

    @Test
    void an_error_in_an_applications_transaction_commits_nothing() throws SQLException {
        assertThatThrownBy(() -> JdbcTransactions.on(database.dataSource()).call(ErrorsRollBackTest::writeAndFail))
                .isInstanceOf(OutOfMemoryError.class);

        assertThat(written()).isZero();
    }

    @Test
    void a_rollback_that_fails_does_not_commit_an_applications_transaction() throws SQLException {
        assertThatThrownBy(() -> JdbcTransactions.on(BrokenConnections.withoutRollback(database.dataSource()))
                        .call(ErrorsRollBackTest::writeAndFail))
                .isInstanceOf(Throwable.class);

        assertThat(written()).isZero();
    }

    @Test
    void an_error_while_the_schema_is_created_rolls_everything_back() throws SQLException {
        JournalDatabase empty = JournalDatabase.withoutJournal();
        try (Connection connection = empty.connect()) {
            Connection failing = BrokenConnections.failingAt(connection, "insert into waybill.schema_version");
            assertThatThrownBy(() -> JournalSchema.create(failing)).isInstanceOf(OutOfMemoryError.class);
        }

        assertThat(empty.number("select count(*) from pg_namespace where nspname = 'waybill'"))
                .isZero();
    }
}
