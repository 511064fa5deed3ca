package dev.waybill.spring;

import static dev.waybill.spring.shop.Shop.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.admin.Finding;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import javax.sql.DataSource;
import org.flywaydb.core.api.migration.JavaMigration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

class MigrationsTest {
    /** A migration as an application has it. */
    static class V7__waybill extends WaybillMigration {}

    @Configuration(proxyBeanMethods = false)
    static class Migrations {
        @Bean
        JavaMigration waybill() {
            return new V7__waybill();
        }
    }

    @Test
    void flyway_creates_the_tables_before_they_are_checked() {
        ApplicationContextRunner runner = Runner.on(TestDatabase.create())
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withUserConfiguration(Migrations.class)
                .withPropertyValues("waybill.stores.main.schema=validate");
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(appended(
                            context.getBean(JdbcTemplate.class),
                            context.getBean(TransactionTemplate.class),
                            context.getBean(SpringOutbox.class)))
                    .isEqualTo(1);
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForList("select version || ' ' || success from flyway_schema_history", String.class))
                    .containsExactly("7 true");
            assertInboxWorks(context.getBean(JdbcTemplate.class), context.getBean(TransactionTemplate.class));
        });
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void liquibase_creates_the_tables_before_they_are_checked() {
        ApplicationContextRunner runner = Runner.on(TestDatabase.create())
                .withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
                .withPropertyValues("spring.liquibase.change-log=classpath:/liquibase/application.yaml");
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(appended(
                            context.getBean(JdbcTemplate.class),
                            context.getBean(TransactionTemplate.class),
                            context.getBean(SpringOutbox.class)))
                    .isEqualTo(1);
            assertInboxWorks(context.getBean(JdbcTemplate.class), context.getBean(TransactionTemplate.class));
        });
        runner.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void on_another_database_flyway_creates_a_table_and_the_inbox() {
        Runner.onH2("migrations")
                .withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withUserConfiguration(Migrations.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertInboxWorks(context.getBean(JdbcTemplate.class), context.getBean(TransactionTemplate.class));
                });
    }

    private static void assertInboxWorks(JdbcTemplate jdbc, TransactionTemplate transaction) {
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        DataSource dataSource = jdbc.getDataSource();
        assertThat(inbox.examine(dataSource)).noneMatch(finding -> finding.severity() == Finding.Severity.PROBLEM);
        assertThat(handled(inbox, dataSource, transaction)).isEqualTo(Outcome.HANDLED);
        assertThat(handled(inbox, dataSource, transaction)).isEqualTo(Outcome.DUPLICATE);
    }

    private static Outcome handled(JdbcInbox inbox, DataSource dataSource, TransactionTemplate transaction) {
        return transaction.execute(status -> inbox.handleOnce(
                DataSourceUtils.getConnection(dataSource),
                "stock",
                Incoming.event("event-1").ofEntity("order-1", 1),
                connection -> {}));
    }

    private static int appended(JdbcTemplate jdbc, TransactionTemplate transaction, SpringOutbox outbox) {
        transaction.executeWithoutResult(status -> outbox.append(event("1")));
        return jdbc.queryForObject("select count(*) from waybill.event", Integer.class);
    }
}
