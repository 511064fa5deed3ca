package dev.waybill.spring;

import dev.waybill.spring.boot.WaybillDomainEventsAutoConfiguration;
import dev.waybill.spring.boot.WaybillOutboxAutoConfiguration;
import dev.waybill.spring.boot.WaybillStoresAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Small application contexts, with JDBC alone. */
public final class Runner {
    private Runner() {}

    /** With the outbox, but without a data source. */
    public static ApplicationContextRunner bare() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        JdbcClientAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        WaybillStoresAutoConfiguration.class,
                        WaybillOutboxAutoConfiguration.class,
                        WaybillDomainEventsAutoConfiguration.class));
    }

    /** With Spring Boot's own data source on this database. */
    public static ApplicationContextRunner on(String url) {
        return bare().withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + url);
    }

    /** On a new database, with the journal in it. */
    public static ApplicationContextRunner withJournal() {
        return on(TestDatabase.create()).withPropertyValues("waybill.stores.main.schema=create");
    }

    /** On a new database in memory. */
    public static ApplicationContextRunner onH2(String name) {
        return on("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
    }

    /** What Spring Boot prints about a failed start. Analyzers that need a context are left out. */
    public static FailureAnalysis analysis(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, (type, name, unable) -> {})
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(found -> found != null)
                .findFirst()
                .orElseThrow();
    }
}
