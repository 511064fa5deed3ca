package dev.waybill.spring;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.SharedPostgres;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/** Databases on the PostgreSQL that all test classes share. */
public final class TestDatabase {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private TestDatabase() {}

    /** The URL of a new, empty database. */
    public static String create() {
        PostgresServer server = SharedPostgres.server();
        return server.jdbcUrl(server.createDatabase("spring_" + NUMBER.incrementAndGet()));
    }

    /** Gives a context a new database, with the journal in it. */
    public static final class WithJournal implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            TestPropertyValues.of("spring.datasource.url=" + create(), "waybill.stores.main.schema=create")
                    .applyTo(context);
        }
    }
}
