package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Two names for one outbox, in configurations that look different. */
class SameOutboxTest {
    private static final String URL = "jdbc:h2:mem:same;DB_CLOSE_DELAY=-1;INIT=create schema if not exists bills";

    private final ApplicationContextRunner runner = Runner.bare()
            .withUserConfiguration(DataSources.class)
            .withPropertyValues("waybill.stores.main.schema=none", "waybill.stores.billing.schema=none");

    @Configuration(proxyBeanMethods = false)
    static class DataSources {
        @Bean
        @Primary
        DataSource orders() {
            return new SimpleDriverDataSource(new org.h2.Driver(), URL);
        }

        @Bean
        DataSource lazyOrders(DataSource orders) {
            return new LazyConnectionDataSourceProxy(orders);
        }

        @Bean
        DataSource bills() {
            return new SimpleDriverDataSource(new org.h2.Driver(), URL);
        }

        @Bean
        DataSource routed(DataSource orders) {
            AbstractRoutingDataSource routed = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "only";
                }
            };
            routed.setTargetDataSources(Map.of("only", orders));
            return routed;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "billing.type=table",
                "billing.data-source=orders",
                "billing.data-source=lazyOrders",
                "billing.url=jdbc:h2:tcp://direct/same",
                "billing.layout=waybill",
                "billing.layout.table=waybill_event, billing.layout.preset=orders",
                "billing.layout.preset=waybill, billing.layout.schema=public",
                "main.data-source=routed, main.type=table, billing.data-source=routed",
                "main.layout=orders, billing.layout.preset=orders, billing.layout.schema=PUBLIC",
            })
    void two_names_for_one_table_are_refused(String written) {
        configured(written).run(context -> {
            assertThat(context).hasFailed();
            var analysis = Runner.analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("billing", "main", "the same outbox", "table ");
            assertThat(analysis.getAction()).contains("data-source, layout or collection", "remove");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "billing.data-source=bills",
                "billing.layout=orders",
                "billing.layout.preset=waybill, billing.layout.schema=bills",
                "main.data-source=routed, main.url=jdbc:h2:mem:a, billing.data-source=routed, billing.url=jdbc:h2:mem:b",
            })
    void two_tables_are_two_outboxes(String written) {
        configured(written).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void two_names_for_the_journal_are_refused() {
        Runner.withJournal()
                .withPropertyValues(
                        "waybill.stores.billing.type=postgres-journal", "waybill.stores.billing.schema=none")
                .run(context -> assertThat(
                                Runner.analysis(context.getStartupFailure()).getDescription())
                        .contains("billing", "main", "the same outbox", "the journal"));
    }

    private ApplicationContextRunner configured(String written) {
        ApplicationContextRunner configured = runner;
        for (String property : written.split(", ")) {
            configured = configured.withPropertyValues("waybill.stores." + property);
        }
        return configured;
    }

    @Test
    void all_names_for_one_table_are_reported_at_once() {
        runner.withPropertyValues("waybill.stores.audit.type=table", "waybill.stores.other.layout=orders")
                .run(context -> assertThat(
                                Runner.analysis(context.getStartupFailure()).getDescription())
                        .contains("audit", "billing", "main")
                        .doesNotContain("other"));
    }
}
