package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Classification of errors that servers return while an event is recorded. */
class InboxOutageTest {
    private static final String CONSUMER = "billing";

    @ParameterizedTest
    @ValueSource(strings = {"25006", "53100", "53200", "53300", "57P01", "57P03", "57014", "58030", "08006"})
    void postgresql_is_unavailable(String state) throws SQLException {
        assertThat(thrownBy(postgres(state))).isInstanceOf(TransactionsUnavailableException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "55P03"})
    void postgresql_reports_a_conflict(String state) throws SQLException {
        assertThat(thrownBy(postgres(state))).isInstanceOf(TransactionConflictException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "23514", "42501", "P0001"})
    void postgresql_refuses_the_event(String state) throws SQLException {
        assertThat(thrownBy(postgres(state))).isInstanceOf(InboxException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1021, 1030, 1041, 1053, 1114, 1203, 1206, 1290, 1317, 1836, 1927, 1969})
    void mariadb_is_unavailable(int number) throws SQLException {
        assertThat(thrownBy(mariaDb(number))).isInstanceOf(TransactionsUnavailableException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1020, 1205, 1213, 1412})
    void mariadb_reports_a_conflict(int number) throws SQLException {
        assertThat(thrownBy(mariaDb(number))).isInstanceOf(TransactionConflictException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1048, 1264, 1406, 1644})
    void mariadb_refuses_the_event(int number) throws SQLException {
        assertThat(thrownBy(mariaDb(number))).isInstanceOf(InboxException.class);
    }

    @Test
    void an_h2_that_is_shut_down_is_unavailable() throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.H2, InboxLayout.waybill());
        assertThatExceptionOfType(TransactionsUnavailableException.class)
                .isThrownBy(() -> JdbcTransactions.on(inbox.database.dataSource())
                        .call(open -> {
                            inbox.database.execute("shutdown immediately");
                            return inbox.inbox.handleOnce(open, CONSUMER, Incoming.event("e"), nothing -> {});
                        }));
    }

    @Test
    void an_h2_that_is_read_only_is_unavailable(@TempDir Path directory) throws SQLException {
        String url = "jdbc:h2:file:" + directory.resolve("inbox");
        JdbcInbox inbox;
        try (Connection connection = DriverManager.getConnection(url)) {
            inbox = JdbcInbox.of(InboxLayout.waybill());
            inbox.create(connection);
        }
        JdbcDataSource readOnly = new JdbcDataSource();
        readOnly.setURL(url + ";ACCESS_MODE_DATA=r");

        assertThat(thrownBy(readOnly, inbox)).isInstanceOf(TransactionsUnavailableException.class);
    }

    /** The inbox table refuses every row with this error. */
    private static InboxDatabase postgres(String state) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.POSTGRESQL, InboxLayout.waybill());
        inbox.database.execute("create function fail() returns trigger language plpgsql as"
                + " $$ begin raise exception 'injected' using errcode = '" + state + "'; end $$");
        inbox.database.execute(
                "create trigger fail before insert on waybill_inbox for each row execute function fail()");
        return inbox;
    }

    private static InboxDatabase mariaDb(int number) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.MARIADB, InboxLayout.waybill());
        inbox.database.execute("create trigger fail before insert on waybill_inbox for each row" + " signal sqlstate '"
                + stateOf(number) + "' set mysql_errno = " + number);
        return inbox;
    }

    /** As the server's own list of errors says. */
    private static String stateOf(int number) {
        return switch (number) {
            case 1053 -> "08S01";
            case 1048 -> "23000";
            case 1203 -> "42000";
            case 1213 -> "40001";
            case 1264 -> "22003";
            case 1317, 1927, 1969 -> "70100";
            case 1406 -> "22001";
            case 1644 -> "45000";
            default -> "HY000";
        };
    }

    private static Throwable thrownBy(InboxDatabase inbox) {
        return thrownBy(inbox.database.dataSource(), inbox.inbox);
    }

    private static Throwable thrownBy(DataSource source, JdbcInbox inbox) {
        return catchThrowable(() -> JdbcTransactions.on(source)
                .call(open -> inbox.handleOnce(open, CONSUMER, Incoming.event("e"), nothing -> {})));
    }

    @Test
    void a_killed_connection_of_mariadb_is_an_outage() throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.MARIADB, InboxLayout.waybill());
        assertThatExceptionOfType(TransactionsUnavailableException.class)
                .isThrownBy(() -> JdbcTransactions.on(inbox.database.dataSource())
                        .call(open -> {
                            inbox.database.execute("kill connection " + connectionId(open));
                            return inbox.inbox.handleOnce(open, CONSUMER, Incoming.event("e"), nothing -> {});
                        }));
    }

    @Test
    void a_row_that_changed_since_the_snapshot_is_a_conflict_on_mariadb() throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(TableDialect.MARIADB, InboxLayout.waybill());
        inbox.database.execute("insert into effect values ('seats')");
        assertThatExceptionOfType(TransactionConflictException.class)
                .isThrownBy(() -> JdbcTransactions.on(inbox.database.dataSource())
                        .call(open -> {
                            try (Statement statement = open.createStatement()) {
                                statement.execute("set innodb_snapshot_isolation = on");
                                statement.executeQuery("select * from effect").close();
                                inbox.database.execute("update effect set name = 'seats!'");
                                return statement.executeUpdate("update effect set name = 'seats?'");
                            }
                        }));
    }

    private static long connectionId(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                var row = statement.executeQuery("select connection_id()")) {
            row.next();
            return row.getLong(1);
        }
    }
}
