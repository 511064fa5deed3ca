package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data sources that never answer. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ConnectingTest {
    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void attempts_that_never_end_are_bounded_and_counted_down_when_they_do() throws Exception {
        DataSource silent = silent();
        for (int attempt = 0; attempt < Connecting.MOST_AT_ONCE; attempt++) {
            assertThatThrownBy(() -> Connecting.to(silent, Duration.ofMillis(1)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no connection within");
        }
        Await.until("every thread asks", () -> asked.get() == Connecting.MOST_AT_ONCE);

        assertThatThrownBy(() -> Connecting.to(silent, Duration.ofMinutes(1)))
                .isInstanceOf(SQLException.class)
                .hasMessageContainingAll(Connecting.MOST_AT_ONCE + " attempts", "login timeout");
        assertThat(asked).hasValue(Connecting.MOST_AT_ONCE);
        answer.countDown();
        Await.until("it may be asked again", () -> isAskedAgain(silent));
    }

    private boolean isAskedAgain(DataSource dataSource) {
        int before = asked.get();
        assertThatThrownBy(() -> Connecting.to(dataSource, Duration.ofMinutes(1)))
                .isInstanceOf(SQLException.class);
        return asked.get() > before;
    }

    /** As a pooler that greets its client itself, and has no second connection to give. */
    @Test
    void the_second_connection_of_the_pooler_check_is_given_up_too() throws Exception {
        DataSource silent = silent();
        try (Connection connection =
                SharedPostgres.server().dataSource("postgres").getConnection()) {
            assertThatThrownBy(() -> PoolerCheck.requireOwnSession(ofUnknownDriver(connection), silent))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no connection within");
        }
        answer.countDown();
    }

    @Test
    void the_second_connection_of_the_pooler_check_goes_back_as_it_came() throws Exception {
        DataSource server = SharedPostgres.server().dataSource("postgres");
        try (Connection connection = server.getConnection();
                Connection other = server.getConnection()) {
            other.setAutoCommit(false);
            other.setNetworkTimeout(Runnable::run, 5_000);

            PoolerCheck.requireOwnSession(ofUnknownDriver(connection), keepingOpen(other));

            assertThat(other.getAutoCommit()).isFalse();
            assertThat(other.getNetworkTimeout()).isEqualTo(5_000);
        }
    }

    /** As a pool with this connection, which puts nothing back itself. */
    private static DataSource keepingOpen(Connection connection) {
        Connection lent = (Connection) Proxy.newProxyInstance(
                ConnectingTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return (DataSource) Proxy.newProxyInstance(
                ConnectingTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> method.getName().equals("getConnection") ? lent : self == arguments[0]);
    }

    private DataSource silent() {
        return (DataSource) Proxy.newProxyInstance(
                ConnectingTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    asked.incrementAndGet();
                    for (boolean waiting = true; waiting; ) {
                        try {
                            answer.await();
                            waiting = false;
                        } catch (InterruptedException e) {
                            // As a driver that reads from a socket.
                        }
                    }
                    throw new SQLException("the server is gone");
                });
    }

    private static Connection ofUnknownDriver(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                ConnectingTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                        method.getName().equals("isWrapperFor") ? false : method.invoke(connection, arguments));
    }
}
