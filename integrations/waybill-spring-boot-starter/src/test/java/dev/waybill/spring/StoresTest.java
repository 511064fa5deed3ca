package dev.waybill.spring;

import static dev.waybill.spring.shop.Shop.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.NoTransactionException;
import dev.waybill.RelayName;
import dev.waybill.spi.OwnerId;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.store.WaybillStores;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class StoresTest {

    @Test
    void without_a_data_source_nothing_is_created() {
        Runner.bare().run(context -> {
            assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(SpringOutbox.class)
                    .doesNotHaveBean(WaybillStores.class);
            assertThat(context.getBeanDefinitionNames()).noneMatch(name -> name.startsWith("waybill"));
        });
    }

    @Test
    void with_one_data_source_on_postgres_the_store_main_is_the_journal() {
        String url = TestDatabase.create();
        Runner.on(url).withPropertyValues("waybill.stores.main.schema=create").run(context -> {});
        Runner.on(url).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(WaybillStores.class).get("main").type()).isEqualTo(StoreType.POSTGRES_JOURNAL);
            append(context.getBean(TransactionTemplate.class), context.getBean(SpringOutbox.class), "1");
            assertThat(count(context.getBean(DataSource.class), "waybill.event"))
                    .isEqualTo(1);
        });
    }

    @Test
    void on_h2_the_store_main_is_a_table() {
        Runner.onH2("main")
                .withPropertyValues("waybill.stores.main.schema=create")
                .run(context -> {
                    assertThat(context.getBean(WaybillStores.class).get("main").type())
                            .isEqualTo(StoreType.TABLE);
                    append(context.getBean(TransactionTemplate.class), context.getBean(SpringOutbox.class), "1");
                    assertThat(count(context.getBean(DataSource.class), "waybill_event"))
                            .isEqualTo(1);
                });
    }

    @Test
    void each_event_is_only_in_its_own_store() {
        Runner.bare()
                .withUserConfiguration(TwoDatabases.class)
                .withPropertyValues(
                        "waybill.stores.main.data-source=orderDataSource",
                        "waybill.stores.main.schema=create",
                        "waybill.stores.billing.data-source=billingDataSource",
                        "waybill.stores.billing.schema=create")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    TwoDatabases.Outboxes outboxes = context.getBean(TwoDatabases.Outboxes.class);
                    TransactionTemplate orders =
                            new TransactionTemplate(context.getBean("orderManager", PlatformTransactionManager.class));
                    TransactionTemplate billing = new TransactionTemplate(
                            context.getBean("billingManager", PlatformTransactionManager.class));
                    append(orders, outboxes.main, "1");
                    append(billing, outboxes.billing, "2");
                    assertThatThrownBy(() -> append(orders, outboxes.billing, "3"))
                            .isInstanceOf(NoTransactionException.class)
                            .hasMessageContainingAll("store billing", "not one on its data source");
                    // the store main is the primary one
                    append(orders, context.getBean(SpringOutbox.class), "4");
                    assertThat(ids(context.getBean("orderDataSource", DataSource.class)))
                            .containsExactly("1", "4");
                    assertThat(ids(context.getBean("billingDataSource", DataSource.class)))
                            .containsExactly("2");
                });
    }

    @Test
    void without_a_store_named_main_the_qualifier_is_needed() {
        Runner.onH2("two")
                .withPropertyValues(
                        "waybill.stores.a.schema=create",
                        "waybill.stores.b.schema=none",
                        "waybill.stores.b.layout=orders")
                .run(context -> assertThatThrownBy(() -> context.getBean(SpringOutbox.class))
                        .isInstanceOf(NoUniqueBeanDefinitionException.class));
    }

    @Test
    void a_savepoint_takes_its_events_back() {
        Runner.withJournal().run(context -> {
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
            TransactionTemplate nested = new TransactionTemplate(transaction.getTransactionManager());
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            transaction.executeWithoutResult(status -> {
                outbox.append(event("1"));
                nested.executeWithoutResult(inner -> {
                    outbox.append(event("2"));
                    inner.setRollbackOnly();
                });
                outbox.append(event("after a rollback to the savepoint"));
                nested.executeWithoutResult(inner -> outbox.append(event("3")));
                outbox.append(event("4"));
            });
            assertThat(ids(context.getBean(DataSource.class)))
                    .containsExactly("1", "after a rollback to the savepoint", "3", "4");
        });
    }

    @Test
    void after_the_timeout_of_a_transaction_it_is_refused_as_every_other_statement() {
        Runner.onH2("timeout")
                .withPropertyValues("waybill.stores.main.schema=create")
                .run(context -> {
                    SpringOutbox outbox = context.getBean(SpringOutbox.class);
                    TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
                    DataSource dataSource = context.getBean(DataSource.class);
                    assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                                ConnectionHolder holder =
                                        (ConnectionHolder) TransactionSynchronizationManager.getResource(dataSource);
                                holder.setTimeoutInMillis(-1);
                                outbox.append(event("1"));
                            }))
                            .isInstanceOf(TransactionTimedOutException.class);
                    assertThat(count(dataSource, "waybill_event")).isZero();
                });
    }

    @Test
    void after_a_commit_that_a_callback_prevented_it_is_refused() {
        Runner.withJournal().run(context -> {
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            List<String> refusals = new ArrayList<>();
            TransactionSynchronization callback = new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw new IllegalStateException("no commit");
                }

                @Override
                public void afterCompletion(int outcome) {
                    try {
                        outbox.append(event("1"));
                    } catch (NoTransactionException e) {
                        refusals.add(e.getMessage());
                    }
                }
            };
            assertThatThrownBy(() -> context.getBean(TransactionTemplate.class)
                            .executeWithoutResult(
                                    status -> TransactionSynchronizationManager.registerSynchronization(callback)))
                    .hasMessage("no commit");
            assertThat(ids(context.getBean(DataSource.class))).isEmpty();
            assertThat(refusals).singleElement().asString().contains("has already committed or rolled back");
        });
    }

    @Test
    void a_pool_of_one_connection_is_enough_while_a_relay_reads() {
        Runner.withJournal()
                .withPropertyValues(
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=2000")
                .run(context -> {
                    WaybillStores stores = context.getBean(WaybillStores.class);
                    try (var session = stores.get("main")
                            .events()
                            .open(new RelayName("main"), OwnerId.unique("test"), Duration.ofSeconds(30))
                            .orElseThrow()) {
                        append(context.getBean(TransactionTemplate.class), context.getBean(SpringOutbox.class), "1");
                        assertThat(session).isNotNull();
                    }
                    assertThat(ids(context.getBean(DataSource.class))).containsExactly("1");
                });
    }

    @Test
    void connections_that_are_fetched_lazily_are_joined() {
        Runner.withJournal()
                .withPropertyValues("spring.datasource.connection-fetch=lazy")
                .run(context -> {
                    assertThat(context.getBean(DataSource.class)).isInstanceOf(LazyConnectionDataSourceProxy.class);
                    append(context.getBean(TransactionTemplate.class), context.getBean(SpringOutbox.class), "1");
                    assertThat(ids(context.getBean(DataSource.class))).containsExactly("1");
                    assertThat(context.getBean(WaybillStores.class)
                                    .get("main")
                                    .admin()
                                    .relays())
                            .isEmpty();
                });
    }

    @Test
    void a_manager_of_the_same_data_source_behind_a_proxy_is_joined_over_the_same_connection() {
        Runner.withJournal().withUserConfiguration(ManagerOnProxy.class).run(context -> {
            assertThat(context).hasNotFailed();
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            transaction.executeWithoutResult(status -> {
                outbox.append(event("1"));
                status.setRollbackOnly();
            });
            append(transaction, outbox, "2");
            assertThat(ids(context.getBean(DataSource.class))).containsExactly("2");
        });
    }

    @Test
    void two_roles_on_one_pool_are_two_data_sources() {
        Runner.bare()
                .withUserConfiguration(TwoRoles.class)
                .withPropertyValues(
                        "waybill.stores.main.data-source=orders",
                        "waybill.stores.main.schema=create",
                        "waybill.stores.billing.data-source=bills",
                        "waybill.stores.billing.type=table",
                        "waybill.stores.billing.schema=create")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThatThrownBy(() -> append(
                                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class)),
                                    context.getBean("waybill.outbox.billing", SpringOutbox.class),
                                    "1"))
                            .isInstanceOf(NoTransactionException.class)
                            .hasMessageContainingAll("store billing", "not one on its data source");
                });
    }

    @Test
    void a_pool_without_autocommit_does_not_hide_a_foreign_transaction() {
        Runner.withJournal()
                .withPropertyValues("spring.datasource.hikari.auto-commit=false")
                .run(context -> {
                    DataSource elsewhere = DataSourceBuilder.create()
                            .url("jdbc:h2:mem:elsewhere")
                            .build();
                    JdbcTemplate template = context.getBean(JdbcTemplate.class);
                    TransactionTemplate foreign = new TransactionTemplate(new DataSourceTransactionManager(elsewhere));
                    foreign.executeWithoutResult(status -> {
                        // binds a connection that nobody commits
                        template.queryForObject("select 1", Integer.class);
                        assertThatThrownBy(() ->
                                        context.getBean(SpringOutbox.class).append(event("1")))
                                .isInstanceOf(NoTransactionException.class);
                    });
                    assertThat(ids(context.getBean(DataSource.class))).isEmpty();
                    ((HikariDataSource) elsewhere).close();
                });
    }

    @Test
    void beans_of_spring_boot_stay_as_they_are() {
        Runner.withJournal().run(context -> {
            assertThat(context)
                    .hasSingleBean(TransactionTemplate.class)
                    .hasSingleBean(PlatformTransactionManager.class);
            assertThat(context).doesNotHaveBean(Clock.class);
            assertThat(context.containsBeanDefinition("applicationEventMulticaster"))
                    .isFalse();
            assertThat(context.containsBeanDefinition(
                            "org.springframework.context.annotation.internalScheduledAnnotationProcessor"))
                    .isFalse();
        });
    }

    private static void append(TransactionTemplate transaction, SpringOutbox outbox, String id) {
        transaction.executeWithoutResult(status -> outbox.append(event(id)));
    }

    private static int count(DataSource dataSource, String table) {
        return new JdbcTemplate(dataSource).queryForObject("select count(*) from " + table, Integer.class);
    }

    private static List<String> ids(DataSource dataSource) {
        JdbcTemplate template = new JdbcTemplate(dataSource);
        return new TransactionTemplate(new JdbcTransactionManager(dataSource))
                .execute(status ->
                        template.queryForList("select aggregate_id from waybill.event order by seq", String.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class ManagerOnProxy {
        @Bean
        PlatformTransactionManager manager(DataSource dataSource) {
            return new JdbcTransactionManager(new LazyConnectionDataSourceProxy(dataSource));
        }
    }

    /** Each connection acts as its own role, which has its own tables. */
    @Configuration(proxyBeanMethods = false)
    static class TwoRoles {
        private final DataSource pool =
                DataSourceBuilder.create().url(TestDatabase.create()).build();

        @Bean
        @Primary
        DataSource orders() {
            return new DelegatingDataSource(pool);
        }

        @Bean
        DataSource bills() {
            UserCredentialsDataSourceAdapter bills = new UserCredentialsDataSourceAdapter();
            bills.setTargetDataSource(pool);
            return bills;
        }

        @Bean
        PlatformTransactionManager manager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {
        record Outboxes(SpringOutbox main, SpringOutbox billing) {}

        @Bean
        @Primary
        DataSource orderDataSource() {
            return DataSourceBuilder.create().url(TestDatabase.create()).build();
        }

        @Bean
        DataSource billingDataSource() {
            return DataSourceBuilder.create().url(TestDatabase.create()).build();
        }

        @Bean
        @Primary
        PlatformTransactionManager orderManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        PlatformTransactionManager billingManager(@Qualifier("billingDataSource") DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Outboxes outboxes(@Qualifier("main") SpringOutbox main, @Qualifier("billing") SpringOutbox billing) {
            return new Outboxes(main, billing);
        }
    }
}
