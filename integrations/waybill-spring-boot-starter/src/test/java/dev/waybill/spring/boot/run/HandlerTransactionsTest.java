package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Inbox.Outcome;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.Runner;
import dev.waybill.spring.SpringInbox;
import dev.waybill.spring.boot.WaybillRunAutoConfiguration;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.annotation.Transactional;

/** Handler methods whose transaction is, or is not, that of the inbox. */
class HandlerTransactionsTest {
    private static final String BILLS = "bills";

    private final ApplicationContextRunner runner = Runner.bare()
            .withConfiguration(AutoConfigurations.of(WaybillRunAutoConfiguration.class))
            .withPropertyValues(
                    "waybill.auto-startup=false",
                    "bills.manager=" + BILLS,
                    "waybill.destinations.kafka.type=kafka",
                    "waybill.destinations.kafka.properties[bootstrap.servers]=127.0.0.1:1",
                    "waybill.stores.main.schema=create",
                    "waybill.stores.billing.data-source=billSource",
                    "waybill.stores.billing.schema=create",
                    "waybill.consumers.orders.store=main",
                    "waybill.consumers.bills.store=billing");

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        @Bean
        @Primary
        DataSource orderSource() {
            return new SimpleDriverDataSource(new org.h2.Driver(), "jdbc:h2:mem:handlers-orders;DB_CLOSE_DELAY=-1");
        }

        @Bean
        DataSource billSource() {
            return new SimpleDriverDataSource(new org.h2.Driver(), "jdbc:h2:mem:handlers-bills;DB_CLOSE_DELAY=-1");
        }

        @Bean
        @Primary
        PlatformTransactionManager orders(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager alsoOrders(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager bills(@Qualifier("billSource") DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Transactional(BILLS)
    @interface InBills {}

    @Retention(RetentionPolicy.RUNTIME)
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    @interface Apart {}

    /** Annotations of methods that leave the transaction. */
    static class Methods {
        @Transactional(BILLS)
        @HandlesOnce(consumer = "orders", type = "a")
        public void named(String text) {}

        @InBills
        @HandlesOnce(consumer = "orders", type = "b")
        public void meta(String text) {}

        @Transactional("${bills.manager}")
        @HandlesOnce(consumer = "orders", type = "c")
        public void configured(String text) {}

        @Transactional("nowhere")
        @HandlesOnce(consumer = "orders", type = "d")
        public void missing(String text) {}

        @Transactional
        @HandlesOnce(consumer = "bills", type = "e")
        public void byDefault(String text) {}

        @Apart
        @HandlesOnce(consumer = "orders", type = "f")
        public void metaApart(String text) {}

        @Transactional(propagation = Propagation.NEVER)
        @HandlesOnce(consumer = "orders", type = "g")
        public void never(String text) {}

        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        @HandlesOnce(consumer = "orders", type = "h")
        public void jakartaNew(String text) {}

        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.NOT_SUPPORTED)
        @HandlesOnce(consumer = "orders", type = "i")
        public void jakartaWithout(String text) {}
    }

    /** Of a class. */
    @Transactional(transactionManager = BILLS)
    static class OfItsClass {
        @HandlesOnce(consumer = "orders", type = "j")
        public void ofItsClass(String text) {}
    }

    /** Of a superclass and its method. */
    static class Inherited extends OfSuperclass {}

    abstract static class OfSuperclass {
        @Transactional(BILLS)
        @HandlesOnce(consumer = "orders", type = "k")
        public void inherited(String text) {}
    }

    /** The qualifier of a class selects the manager of its transactions. */
    @Qualifier(BILLS) static class Qualified {
        @Transactional
        @HandlesOnce(consumer = "orders", type = "l")
        public void qualified(String text) {}
    }

    @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.NEVER)
    static class OfItsClassInJakarta {
        @HandlesOnce(consumer = "orders", type = "m")
        public void ofItsClassInJakarta(String text) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({
        TwoDatabases.class,
        Methods.class,
        OfItsClass.class,
        Inherited.class,
        Qualified.class,
        OfItsClassInJakarta.class
    })
    static class Leaving {}

    @Test
    void all_that_leave_the_transaction_of_the_inbox_are_refused_with_the_remedy() {
        runner.withUserConfiguration(Leaving.class).run(context -> {
            assertThat(context).hasFailed();
            String description = Runner.analysis(context.getStartupFailure()).getDescription();
            List<String> lines = description.lines().toList();
            for (String method : List.of("named", "meta", "configured", "ofItsClass", "inherited", "qualified")) {
                assertThat(lines)
                        .describedAs(method)
                        .anyMatch(line -> line.contains("." + method + ": ")
                                && line.contains("transaction manager bills")
                                && line.contains("@Transactional(\"orders\")"));
            }
            assertThat(lines).anyMatch(line -> line.contains(".missing: ") && line.contains("nowhere"));
            assertThat(lines)
                    .anyMatch(line -> line.contains(".byDefault: ")
                            && line.contains("transaction manager orders")
                            && line.contains("waybill.consumers.bills.store")
                            && line.contains("@Transactional(\"bills\")"));
            for (String method : List.of("metaApart", "never", "jakartaNew", "jakartaWithout", "ofItsClassInJakarta")) {
                assertThat(lines)
                        .describedAs(method)
                        .anyMatch(line -> line.contains("." + method + ": ") && line.contains("propagation"));
            }
        });
    }

    /** Plain {@code @Transactional} selects another manager than the primary one. */
    @Configuration(proxyBeanMethods = false)
    @Import({TwoDatabases.class, Joining.class})
    static class OtherDefault {
        @Bean
        TransactionManagementConfigurer configurer(@Qualifier(BILLS) PlatformTransactionManager manager) {
            return () -> manager;
        }
    }

    @Test
    void the_default_manager_of_the_application_may_be_another_than_the_primary_one() {
        runner.withUserConfiguration(OtherDefault.class)
                .run(context -> assertThat(
                                Runner.analysis(context.getStartupFailure()).getDescription())
                        .contains("2 errors", ".byDefault: ", ".jakarta: ", "transaction manager bills"));
    }

    /** Methods that join it. */
    static class Joining {
        @HandlesOnce(consumer = "orders", type = "a")
        public void without(String text) {}

        @Transactional
        @HandlesOnce(consumer = "orders", type = "b")
        public void byDefault(String text) {}

        @Transactional("orders")
        @HandlesOnce(consumer = "orders", type = "c")
        public void named(String text) {}

        @Transactional("alsoOrders")
        @HandlesOnce(consumer = "orders", type = "d")
        public void ofTheSameDataSource(String text) {}

        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.MANDATORY)
        @HandlesOnce(consumer = "orders", type = "e")
        public void jakarta(String text) {}

        @InBills
        @HandlesOnce(consumer = "bills", type = "f")
        public void ofItsStore(String text) {}
    }

    @Configuration(proxyBeanMethods = false)
    @Import({TwoDatabases.class, Joining.class})
    static class Staying {}

    @Test
    void those_that_join_it_are_accepted() {
        runner.withUserConfiguration(Staying.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void one_consumer_name_in_two_stores_has_an_inbox_in_each() {
        runner.withUserConfiguration(Staying.class).run(context -> {
            SpringInbox orders = context.getBean(SpringInbox.class).of("main");
            SpringInbox bills = context.getBean(SpringInbox.class).of("billing");
            assertThat(orders.handleOnce("both", "event-1", () -> {})).isEqualTo(Outcome.HANDLED);
            assertThat(bills.handleOnce("both", "event-1", () -> {})).isEqualTo(Outcome.HANDLED);
            assertThat(orders.handleOnce("both", "event-1", () -> {})).isEqualTo(Outcome.DUPLICATE);
            assertThat(bills.handleOnce("both", "event-1", () -> {})).isEqualTo(Outcome.DUPLICATE);
        });
    }
}
