package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class TransactionManagersTest {

    @Configuration(proxyBeanMethods = false)
    static class TwoUnits {
        @Bean
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .build();
        }

        @Bean
        LocalContainerEntityManagerFactoryBean archive(DataSource dataSource) {
            return unit(dataSource, "archive");
        }

        @Bean
        LocalContainerEntityManagerFactoryBean orders(DataSource dataSource) {
            return unit(dataSource, "orders");
        }

        private static LocalContainerEntityManagerFactoryBean unit(DataSource dataSource, String name) {
            LocalContainerEntityManagerFactoryBean unit = new LocalContainerEntityManagerFactoryBean();
            unit.setDataSource(dataSource);
            unit.setPersistenceUnitName(name);
            unit.setPackagesToScan("dev.waybill.spring.shop");
            unit.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            return unit;
        }

        @Bean
        PlatformTransactionManager archiving(@Qualifier("archive") EntityManagerFactory unit) {
            return new JpaTransactionManager(unit);
        }

        @Bean
        PlatformTransactionManager plain(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        @Primary
        PlatformTransactionManager ordering(@Qualifier("orders") EntityManagerFactory unit) {
            return new JpaTransactionManager(unit);
        }
    }

    private static AnnotationConfigApplicationContext context;

    @BeforeAll
    static void start() {
        context = new AnnotationConfigApplicationContext(TwoUnits.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void of_several_managers_on_a_data_source_the_primary_one_begins_the_transactions_of_handlers() {
        DataSource dataSource = context.getBean(DataSource.class);
        PlatformTransactionManager chosen = new TransactionManagers(context.getBeanFactory()).of("main", dataSource);
        PlatformTransactionManager ofHandlers = context.getBean(PlatformTransactionManager.class);
        // what a handler with @Transactional does
        Boolean joined = new SpringTransactions(chosen, dataSource)
                .call(connection -> new TransactionTemplate(ofHandlers).execute(status -> !status.isNewTransaction()));
        assertThat(joined).isTrue();
    }

    @Test
    void a_manager_of_jdbc_does_not_join_one_of_jpa_but_commits_its_work() {
        PlatformTransactionManager jpa = context.getBean("ordering", PlatformTransactionManager.class);
        PlatformTransactionManager jdbc = context.getBean("plain", PlatformTransactionManager.class);
        JdbcTemplate template = new JdbcTemplate(context.getBean(DataSource.class));
        template.execute("create table effect (number int)");
        new TransactionTemplate(jpa).executeWithoutResult(outer -> {
            template.update("insert into effect values (1)");
            new TransactionTemplate(jdbc)
                    .executeWithoutResult(
                            inner -> assertThat(inner.isNewTransaction()).isTrue());
            outer.setRollbackOnly();
        });
        assertThat(template.queryForObject("select count(*) from effect", Integer.class))
                .isEqualTo(1);
        assertThat(TransactionManagers.joins(jdbc, jpa)).isFalse();
    }
}
