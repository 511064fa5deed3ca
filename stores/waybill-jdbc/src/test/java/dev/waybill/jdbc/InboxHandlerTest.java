package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.Inbox;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionConflictException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handler may do with its transaction. */
class InboxHandlerTest {
    private static final String CONSUMER = "billing";
    private static final int ATTEMPTS = 50;
    private static final Incoming EVENT = Incoming.event("e1");

    private interface Ending {
        void of(Connection connection) throws SQLException;
    }

    /** The server rolls back the mark with everything else, and only the caught exception tells. */
    @ParameterizedTest
    @CsvSource({"MARIADB, 6", "MARIADB, 0", "H2, 6", "H2, 0"})
    void a_handler_that_continues_after_a_deadlock_has_its_effect_once(TableDialect dialect, int digits)
            throws Exception {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (handlerIsUndone(dialect, digits)) {
                return;
            }
        }
        throw new AssertionError(
                "The server rolled back the other transaction " + ATTEMPTS + " times: the test proves nothing.");
    }

    /** @return false if the server rolled back the other transaction; H2 chooses one at random */
    private static boolean handlerIsUndone(TableDialect dialect, int digits) throws Exception {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        inbox.keepTimesOf(digits);
        inbox.database.execute("create table stock (id int primary key, n int)");
        inbox.database.execute("insert into stock values (1, 0), (2, 0)");
        inbox.database.execute("create table ballast (id int primary key)");
        CountDownLatch otherHasTwo = new CountDownLatch(1);
        CountDownLatch handlerHasOne = new CountDownLatch(1);
        AtomicBoolean undone = new AtomicBoolean();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> other = thread.submit(() -> lockTwoThenOne(inbox, otherHasTwo, handlerHasOne));
            Inbox.Effect<Connection, Exception> stubborn = in -> {
                try (Statement statement = in.createStatement()) {
                    assertThat(otherHasTwo.await(1, TimeUnit.MINUTES)).isTrue();
                    statement.executeUpdate("update stock set n = n + 1 where id = 1");
                    handlerHasOne.countDown();
                    try {
                        statement.executeUpdate("update stock set n = n + 1 where id = 2");
                    } catch (SQLException e) {
                        undone.set(true);
                        statement.executeUpdate("update stock set n = n + 1 where id = 2");
                    }
                }
            };
            Throwable thrown = catchThrowable(() -> handle(inbox, stubborn));
            if (!undone.get()) {
                return false;
            }
            assertThat(thrown)
                    .isInstanceOf(TransactionConflictException.class)
                    .hasStackTraceContaining("must rethrow the exception");
            assertThat(FailureKind.of(thrown)).isEqualTo(FailureKind.CONFLICT);
            other.get(1, TimeUnit.MINUTES);

            assertThat(handle(inbox, stubborn)).isEqualTo(Outcome.HANDLED);
            assertThat(handle(inbox, stubborn)).isEqualTo(Outcome.DUPLICATE);
            assertThat(inbox.database.rows("select n from stock where n = 101")).hasSize(2);
            return true;
        } finally {
            thread.shutdownNow();
        }
    }

    /** A large transaction, so that MariaDB rolls back the other one. */
    private static Void lockTwoThenOne(InboxDatabase inbox, CountDownLatch hasTwo, CountDownLatch goOn)
            throws Exception {
        try (Connection connection = inbox.database.begin();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 500; i++) {
                statement.executeUpdate("insert into ballast values (" + i + ")");
            }
            statement.executeUpdate("update stock set n = n + 100 where id = 2");
            hasTwo.countDown();
            assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
            statement.executeUpdate("update stock set n = n + 100 where id = 1");
            connection.commit();
            return null;
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_handler_that_ends_the_transaction_is_refused(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        List<Ending> endings = List.of(
                Connection::commit,
                Connection::rollback,
                connection -> connection.setAutoCommit(true),
                connection -> connection.abort(Runnable::run),
                connection -> connection.unwrap(Connection.class).commit(),
                connection -> connection.getMetaData().getConnection().commit(),
                connection -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.getConnection().commit();
                    }
                },
                connection -> {
                    try (PreparedStatement statement = connection.prepareStatement("select name from effect");
                            ResultSet rows = statement.executeQuery()) {
                        rows.getStatement().getConnection().rollback();
                    }
                });
        for (Ending ending : endings) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> handle(inbox, in -> {
                        inbox.leaveEffect(in, "paid");
                        ending.of(in);
                    }))
                    .satisfies(thrown -> assertThat(FailureKind.of(thrown)).isEqualTo(FailureKind.FAILED))
                    .withMessageContaining("throw an exception to roll it back");
            assertThat(inbox.effects("paid")).isZero();
        }
        assertThat(handle(inbox, in -> inbox.leaveEffect(in, "paid"))).isEqualTo(Outcome.HANDLED);
    }

    /** MariaDB has no arrays. */
    @ParameterizedTest
    @EnumSource(
            value = TableDialect.class,
            names = {"POSTGRESQL", "H2"})
    void an_array_returns_the_lent_connection_and_can_be_used(TableDialect dialect) throws Exception {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        String type = dialect == TableDialect.POSTGRESQL ? "text" : "varchar";
        inbox.database.execute("create table tags (id int primary key, names " + type + " array)");
        List<Ending> ways = List.of(
                connection -> commitBehind(connection.createArrayOf(type, new Object[] {"a"})),
                connection -> {
                    try (Statement statement = connection.createStatement();
                            ResultSet rows = statement.executeQuery("select names from tags")) {
                        rows.next();
                        commitBehind(rows.getArray(1));
                    }
                },
                connection -> {
                    try (Statement statement = connection.createStatement();
                            ResultSet rows = statement.executeQuery("select names from tags")) {
                        rows.next();
                        commitBehind((Array) rows.getObject(1));
                    }
                });
        for (Ending way : ways) {
            Throwable thrown = catchThrowable(() -> handle(inbox, in -> {
                try (PreparedStatement insert = in.prepareStatement("insert into tags values (1, ?)")) {
                    insert.setArray(1, in.createArrayOf(type, new Object[] {"a", "b"}));
                    insert.executeUpdate();
                }
                inbox.leaveEffect(in, "paid");
                way.of(in);
                throw new IllegalStateException("the driver has no connection there");
            }));
            assertThat(thrown).isNotNull();
            assertThat(inbox.effects("paid")).isZero();
            assertThat(inbox.database.rows("select id from tags")).isEmpty();
        }
    }

    private static void commitBehind(Array array) throws SQLException {
        Statement statement = array.getResultSet().getStatement();
        if (statement != null) {
            statement.getConnection().commit();
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_handler_may_close_its_connection_and_use_savepoints(TableDialect dialect) throws Exception {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        Inbox.Effect<Connection, Exception> closing = in -> {
            try (in) {
                in.setAutoCommit(false);
                Savepoint savepoint = in.setSavepoint();
                inbox.leaveEffect(in, "not meant");
                in.rollback(savepoint);
                inbox.leaveEffect(in, "paid");
            }
        };
        assertThat(handle(inbox, closing)).isEqualTo(Outcome.HANDLED);
        assertThat(handle(inbox, closing)).isEqualTo(Outcome.DUPLICATE);
        assertThat(inbox.effects("paid")).isEqualTo(1);
        assertThat(inbox.effects("not meant")).isZero();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void handlers_of_a_batch_cannot_end_its_transaction_either(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        List<Incoming> two = List.of(EVENT, Incoming.event("e2"));
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> transactions.call(
                        open -> inbox.inbox.handleAll(open, CONSUMER, two, event -> event, (in, event) -> {
                            inbox.leaveEffect(in, "paid");
                            in.commit();
                        })));
        assertThat(inbox.effects("paid")).isZero();
    }

    /** On H2 that commits. */
    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_handler_cannot_set_the_isolation_of_a_transaction_that_has_begun(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> handle(inbox, in -> {
                    inbox.leaveEffect(in, "paid");
                    in.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }))
                .withMessageContaining("Set the isolation in the data source");
        assertThat(inbox.effects("paid")).isZero();
        assertThat(handle(inbox, in -> inbox.leaveEffect(in, "paid"))).isEqualTo(Outcome.HANDLED);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_effect_after_a_rollback_statement_is_undone(TableDialect dialect) throws Exception {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        Inbox.Effect<Connection, Exception> rollingBack = in -> {
            try (Statement statement = in.createStatement()) {
                statement.execute("rollback");
            }
            inbox.leaveEffect(in, "paid");
        };
        assertThat(catchThrowable(() -> handle(inbox, rollingBack))).isInstanceOf(TransactionConflictException.class);
        assertThat(catchThrowable(() -> JdbcTransactions.on(inbox.database.dataSource())
                        .call(open -> inbox.inbox.handleAll(
                                open, CONSUMER, List.of(EVENT), event -> event, (in, event) -> rollingBack.apply(in)))))
                .isInstanceOf(TransactionConflictException.class);
        assertThat(inbox.effects("paid")).isZero();
    }

    private static <E extends Exception> Outcome handle(InboxDatabase inbox, Inbox.Effect<Connection, E> effect)
            throws E {
        return JdbcTransactions.on(inbox.database.dataSource())
                .call(open -> inbox.inbox.handleOnce(open, CONSUMER, EVENT, effect));
    }
}
