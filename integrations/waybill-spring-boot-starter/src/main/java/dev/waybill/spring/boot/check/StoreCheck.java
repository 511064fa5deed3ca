package dev.waybill.spring.boot.check;

import dev.waybill.postgres.WaitFor;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.store.ConfiguredLayout;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.jdbc.DatabaseDriver;

/** Checks one store. */
final class StoreCheck {
    private final ConfigurationPropertyName path;
    private final StoreProperties store;
    private final Set<String> written;
    private final KnownBeans beans;
    private final List<Mistake> mistakes = new ArrayList<>();

    StoreCheck(ConfigurationPropertyName path, StoreProperties store, Set<String> written, KnownBeans beans) {
        this.path = path;
        this.store = store;
        this.written = written;
        this.beans = beans;
    }

    List<Mistake> mistakes() {
        if (store.type() != null) {
            written.stream()
                    .filter(key -> !KnownKeys.of(store.type()).contains(key))
                    .forEach(key -> add(key, "does not apply to type " + Expectation.written(store.type())));
        }
        dataSource(store.type() == StoreType.MONGODB ? beans.mongoDatabases() : known());
        if (store.url() == null && (store.user() != null || store.password() != null)) {
            add("url", "required, because user or password is set: they are for the connections of relays");
        }
        if (store.url() != null && !isKnown(store.url())) {
            add("url", "no JDBC driver of this application knows such an address: correct it, or add the driver");
        }
        check("layout", () -> ConfiguredLayout.of(store.layout()));
        check("standbys", () -> new WaitFor(store.waitFor(), store.standbys()));
        if (store.maxPayloadBytes() < 1) {
            add("max-payload-bytes", "use at least 1");
        }
        return mistakes;
    }

    /** Spring Boot knows the drivers of most databases, and others register themselves. */
    private static boolean isKnown(String url) {
        return (url.startsWith("jdbc:") && DatabaseDriver.fromJdbcUrl(url) != DatabaseDriver.UNKNOWN)
                || DriverManager.drivers().anyMatch(driver -> accepts(driver, url));
    }

    private static boolean accepts(Driver driver, String url) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Without a type, the bean decides. */
    private List<String> known() {
        List<String> all = new ArrayList<>(beans.dataSources());
        if (store.type() == null) {
            all.addAll(beans.mongoDatabases());
        }
        return all;
    }

    private void dataSource(List<String> known) {
        String what = store.type() == StoreType.MONGODB ? "MongoDatabaseFactory" : "DataSource";
        if (store.dataSource() != null && !known.contains(store.dataSource())) {
            add(
                    "data-source",
                    "there is no " + what + " bean named \"" + store.dataSource() + "\": use one of " + known);
        } else if (store.dataSource() == null && known.isEmpty()) {
            add("data-source", "there is no " + what + " bean: configure one, such as spring.datasource.url");
        }
    }

    private void check(String key, Runnable making) {
        try {
            making.run();
        } catch (IllegalArgumentException e) {
            add(key, String.valueOf(e.getMessage()));
        }
    }

    private void add(String key, String problem) {
        mistakes.add(new Mistake(path.append(key).toString(), problem));
    }
}
