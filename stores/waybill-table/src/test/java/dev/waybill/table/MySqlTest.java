package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MySqlTest {

    @Test
    void mysql_is_refused_and_the_error_names_the_supported_databases() throws SQLException {
        Connection mysql = calling("MySQL", "8.4.3");

        for (Opening opening : new Opening[] {
            () -> JdbcInbox.of(InboxLayout.waybill()).create(mysql),
            () -> TableSchema.create(mysql, TableLayout.waybill()),
            () -> ProcessedEvents.create(mysql, TableLayout.waybill(), "p")
        }) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(opening::open)
                    .withMessageContaining("MySQL, which Waybill does not support")
                    .withMessageContaining("Use MariaDB");
        }
    }

    @Test
    void mariadb_is_recognised_by_its_version_whatever_the_product_name() throws SQLException {
        assertThat(TableDialect.of(calling("MySQL", "5.5.5-10.11.18-MariaDB-0+deb12u1")))
                .isEqualTo(TableDialect.MARIADB);
        assertThat(TableDialect.of(calling("MariaDB", "10.11.18-MariaDB"))).isEqualTo(TableDialect.MARIADB);
    }

    @Test
    void other_databases_are_refused_too() {
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> TableDialect.of(calling("Oracle", "23")))
                .withMessageContaining("PostgreSQL, MariaDB and H2");
    }

    private interface Opening {
        void open() throws SQLException;
    }

    /** A connection that only returns the name and version of its server. */
    private static Connection calling(String product, String version) {
        DatabaseMetaData server = (DatabaseMetaData) Proxy.newProxyInstance(
                MySqlTest.class.getClassLoader(),
                new Class<?>[] {DatabaseMetaData.class},
                (proxy, method, arguments) -> method.getName().equals("getDatabaseProductName") ? product : version);
        return (Connection) Proxy.newProxyInstance(
                MySqlTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> server);
    }
}
