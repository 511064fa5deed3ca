package dev.waybill.spring.boot.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.spring.TestDatabase;
import dev.waybill.spring.boot.properties.StoreProperties;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

class RelayConnectionsTest {

    private static StoreProperties properties(Map<String, String> given) {
        return new Binder(new MapConfigurationPropertySource(given)).bindOrCreate("store", StoreProperties.class);
    }

    @Test
    void relays_connect_with_the_schema_and_the_driver_properties_of_the_pool() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            String url = TestDatabase.create();
            pool.setJdbcUrl(url);
            pool.setSchema("pg_catalog");
            pool.addDataSourceProperty("ApplicationName", "the shop");
            DataSource relays =
                    RelayConnections.of("main", properties(Map.of()), new LazyConnectionDataSourceProxy(pool));
            assertThat(settings(relays)).isEqualTo(settings(pool)).isEqualTo("pg_catalog, the shop");
            DataSource elsewhere = RelayConnections.of("main", properties(Map.of("store.url", url)), pool);
            assertThat(settings(elsewhere)).startsWith("public, ");
        }
    }

    @Test
    void relays_connect_with_what_the_pool_executes_first() throws SQLException {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(TestDatabase.create());
            pool.setConnectionInitSql("set search_path to pg_catalog; set application_name to 'the shop'");
            DataSource relays = RelayConnections.of("main", properties(Map.of()), pool);
            assertThat(settings(relays)).isEqualTo(settings(pool)).isEqualTo("pg_catalog, the shop");
        }
    }

    @Test
    void relays_connect_as_a_pool_on_a_data_source_does() throws SQLException {
        PGSimpleDataSource inner = new PGSimpleDataSource();
        inner.setUrl(TestDatabase.create());
        inner.setApplicationName("the shop");
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSource(inner);
            DataSource relays = RelayConnections.of("main", properties(Map.of()), pool);
            assertThat(settings(relays)).isEqualTo(settings(pool));
        }
    }

    @Test
    void a_pool_on_a_class_of_data_sources_has_no_address_for_relays() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setDataSourceClassName(PGSimpleDataSource.class.getName());
            assertThatThrownBy(() -> RelayConnections.of("main", properties(Map.of()), pool))
                    .hasMessageContaining("set waybill.stores.main.url");
        }
    }

    private static String settings(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select current_schema(), current_setting('application_name')")) {
            row.next();
            return row.getString(1) + ", " + row.getString(2);
        }
    }
}
