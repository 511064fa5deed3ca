package dev.waybill.spring.boot.store;

import dev.waybill.spring.boot.properties.StoreProperties;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;

/**
 * Connections for relays and operators. They are opened one by one with the address of the application's data source, so that
 * they take none from its pool: a relay keeps its connections for as long as it runs.
 */
final class RelayConnections {
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
            return DataSourceBuilder.derivedFrom(application)
                    .type(SimpleDriverDataSource.class)
                    .build();
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "The address of the data source of store " + store + " cannot be read from a "
                            + application.getClass().getName() + ": set waybill.stores." + store
                            + ".url, user and password for the connections of relays.",
                    e);
        }
    }
}
