package dev.waybill.postgres.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.testkit.SharedPostgres;
import dev.waybill.testkit.SilentDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PoolerCheckTest {
    /** Like a pooler that answers the start message itself and has no second connection. */
    @Test
    void the_second_connection_of_the_pooler_check_has_a_time_limit_too() throws Exception {
        SilentDatabase silent = new SilentDatabase();
        try (Connection connection =
                SharedPostgres.server().dataSource("postgres").getConnection()) {
            assertThatThrownBy(() -> PoolerCheck.requireOwnSession(ofUnknownDriver(connection), silent.dataSource()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no connection within");
        }
        silent.goAway();
    }

    @Test
    void the_second_connection_of_the_pooler_check_is_returned_unchanged() throws Exception {
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

    /** Like a pool that does not reset this connection. */
    private static DataSource keepingOpen(Connection connection) {
        Connection lent = (Connection) Proxy.newProxyInstance(
                PoolerCheckTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(connection, arguments));
        return (DataSource) Proxy.newProxyInstance(
                PoolerCheckTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> method.getName().equals("getConnection") ? lent : self == arguments[0]);
    }

    private static Connection ofUnknownDriver(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                PoolerCheckTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                        method.getName().equals("isWrapperFor") ? false : method.invoke(connection, arguments));
    }
}
