package dev.waybill.spring.boot.store;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.spring.boot.properties.StoreProperties;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * Connections for relays and operators. They are opened one by one with the address of the application's data source, so that
 * they take none from its pool: a relay keeps its connections for as long as it runs.
 */
final class RelayConnections {
    private static final boolean HIKARI_IS_PRESENT =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", RelayConnections.class.getClassLoader());

    private RelayConnections() {}

    static DataSource of(String store, StoreProperties properties, DataSource application) {
        if (properties.url() != null) {
            return DataSourceBuilder.create(application.getClass().getClassLoader())
                    .type(SimpleDriverDataSource.class)
                    .url(properties.url())
                    .username(properties.user())
                    .password(properties.password())
                    .build();
        }
        if (application instanceof EmbeddedDatabase) {
            return application; // opens a connection each time
        }
        try {
            if (HIKARI_IS_PRESENT) {
                return Hikari.connections(application).orElseGet(() -> derived(application));
            }
            return derived(application);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "The address of the data source of store " + store + " cannot be read from a "
                            + application.getClass().getName() + ": set waybill.stores." + store
                            + ".url, user and password for the connections of relays.",
                    e);
        }
    }

    private static SimpleDriverDataSource derived(DataSource application) {
        SimpleDriverDataSource derived = DataSourceBuilder.derivedFrom(application)
                .type(SimpleDriverDataSource.class)
                .build();
        if (derived.getUrl() == null) {
            throw new IllegalStateException("it has no JDBC URL");
        }
        return derived;
    }

    /** Loaded only with HikariCP. */
    private static final class Hikari {
        /** With what a connection of the pool has beside its address: another schema would be another table, and TLS may be set. */
        static Optional<DataSource> connections(DataSource application) {
            HikariDataSource pool =
                    DataSourceUnwrapper.unwrap(application, HikariConfigMXBean.class, HikariDataSource.class);
            if (pool == null) {
                return Optional.empty();
            }
            if (pool.getDataSource() != null) {
                return Optional.of(new Prepared(pool.getDataSource(), pool));
            }
            SimpleDriverDataSource derived = derived(application);
            derived.setConnectionProperties(pool.getDataSourceProperties());
            return Optional.of(new Prepared(derived, pool));
        }

        /** Prepares each connection as the pool does. */
        private static final class Prepared extends DelegatingDataSource {
            private final HikariDataSource pool;

            Prepared(DataSource target, HikariDataSource pool) {
                super(target);
                this.pool = pool;
            }

            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = pool.getDataSource() != null && pool.getUsername() != null
                        ? super.getConnection(pool.getUsername(), pool.getPassword())
                        : super.getConnection();
                try {
                    prepare(connection);
                    return connection;
                } catch (SQLException e) {
                    connection.close();
                    throw e;
                }
            }

            private void prepare(Connection connection) throws SQLException {
                if (pool.getCatalog() != null) {
                    connection.setCatalog(pool.getCatalog());
                }
                if (pool.getSchema() != null) {
                    connection.setSchema(pool.getSchema());
                }
                if (pool.getConnectionInitSql() != null) {
                    try (Statement statement = connection.createStatement()) {
                        statement.execute(pool.getConnectionInitSql());
                    }
                }
            }
        }
    }
}
