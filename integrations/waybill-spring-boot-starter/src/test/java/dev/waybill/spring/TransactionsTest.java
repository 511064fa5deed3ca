package dev.waybill.spring;

import static dev.waybill.spring.shop.Shop.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.NoTransactionException;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.spring.shop.OrderService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

@OnPostgres
class TransactionsTest {
    @Autowired
    private SpringOutbox outbox;

    @Autowired
    private OrderService service;

    @Autowired
    private TransactionTemplate transaction;

    @Autowired
    private PlatformTransactionManager manager;

    @Autowired
    private JdbcTemplate template;

    @Autowired
    private WaybillStores stores;

    private Journal journal;

    @Autowired
    void journal(JdbcClient jdbc) {
        journal = new Journal(jdbc);
    }

    @BeforeEach
    void empty() {
        journal.empty();
    }

    @Test
    void events_are_committed_with_the_data() {
        transaction.executeWithoutResult(status -> {
            template.update("insert into purchase_order (id, version, state) values (1, 0, 'new')");
            outbox.append(event("1"), event("2"));
        });
        assertThat(journal.ids()).containsExactly("1", "2");
        assertThat(template.queryForObject("select count(*) from purchase_order", Integer.class))
                .isEqualTo(1);
    }

    @Test
    void a_rollback_leaves_no_event() {
        transaction.executeWithoutResult(status -> {
            outbox.append(event("1"));
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    outbox.append(event("2"));
                    throw new IllegalStateException("the business fails");
                }))
                .hasMessage("the business fails");
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void an_event_is_inserted_at_once() {
        transaction.executeWithoutResult(status -> {
            outbox.append(event("1"));
            assertThat(template.queryForObject("select count(*) from waybill.event", Integer.class))
                    .isEqualTo(1);
        });
    }

    @Test
    void append_if_absent_skips_known_events() {
        var known = event("1");
        transaction.executeWithoutResult(
                status -> assertThat(outbox.appendIfAbsent(known, event("2"))).isEqualTo(2));
        transaction.executeWithoutResult(
                status -> assertThat(outbox.appendIfAbsent(known, event("3"))).isEqualTo(1));
        assertThat(journal.ids()).containsExactly("1", "2", "3");
    }

    @Test
    void without_a_transaction_it_is_refused_with_the_remedy() {
        assertThatThrownBy(() -> outbox.append(event("1")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContainingAll("store main", "no transaction", "@Transactional", "@Async", "self-invocation");
        assertThatThrownBy(() -> outbox.appendIfAbsent(event("1"))).isInstanceOf(NoTransactionException.class);
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void a_self_invocation_has_no_transaction_and_is_refused() {
        assertThatThrownBy(() -> service.appendBySelfInvocation("1"))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("self-invocation");
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void an_asynchronous_method_does_not_take_the_transaction_along_and_is_refused() {
        transaction.executeWithoutResult(
                status -> assertThatThrownBy(() -> service.appendAsync("1").get())
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContaining("@Async"));
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void a_read_only_transaction_is_refused() {
        assertThatThrownBy(() -> service.appendReadOnly("1"))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContainingAll("read-only", "readOnly = true");
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void after_the_commit_and_after_a_rollback_it_is_refused() {
        List<Throwable> refused = new ArrayList<>();
        transaction.executeWithoutResult(status -> onEnd(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                refused.add(failureOf(() -> outbox.append(event("1"))));
            }

            @Override
            public void afterCompletion(int outcome) {
                refused.add(failureOf(() -> service.append(event("2"))));
            }
        }));
        transaction.executeWithoutResult(status -> {
            status.setRollbackOnly();
            onEnd(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int outcome) {
                    refused.add(failureOf(() -> outbox.append(event("3"))));
                }
            });
        });
        assertThat(refused)
                .hasSize(3)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(NoTransactionException.class)
                        .hasMessageContainingAll("AFTER_COMMIT", "REQUIRES_NEW"));
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void after_the_commit_a_new_transaction_may_append() {
        transaction.executeWithoutResult(status -> onEnd(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                service.appendInNew("1");
            }
        }));
        assertThat(journal.ids()).containsExactly("1");
    }

    @Test
    void before_the_commit_it_is_stored() {
        AtomicInteger raised = listen();
        transaction.executeWithoutResult(status -> onEnd(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                outbox.append(event("1"));
            }

            @Override
            public void beforeCompletion() {
                outbox.append(event("2"));
            }
        }));
        assertThat(journal.ids()).containsExactly("1", "2");
        assertThat(raised).hasValue(1);
    }

    @Test
    void relays_are_woken_once_after_the_commit_and_not_by_a_rollback() {
        AtomicInteger raised = listen();
        transaction.executeWithoutResult(status -> {
            outbox.append(event("1"));
            outbox.append(event("2"));
            assertThat(raised).hasValue(0);
        });
        assertThat(raised).hasValue(1);
        transaction.executeWithoutResult(status -> {
            outbox.append(event("3"));
            status.setRollbackOnly();
        });
        assertThat(raised).hasValue(1);
    }

    @Test
    void a_new_transaction_commits_its_events_alone() {
        transaction.executeWithoutResult(status -> {
            outbox.append(event("outer"));
            service.appendInNew("inner");
            outbox.append(event("outer again"));
            status.setRollbackOnly();
        });
        assertThat(journal.ids()).containsExactly("inner");
    }

    @Test
    void a_participating_transaction_joins_the_outer_one() {
        transaction.executeWithoutResult(status -> {
            service.append(event("1"));
            status.setRollbackOnly();
        });
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void the_transaction_of_a_foreign_manager_is_refused_even_if_a_connection_was_used_in_it() {
        DriverManagerDataSource elsewhere = new DriverManagerDataSource("jdbc:h2:mem:foreign");
        TransactionTemplate foreign = new TransactionTemplate(new DataSourceTransactionManager(elsewhere));
        foreign.executeWithoutResult(status -> {
            assertThatThrownBy(() -> outbox.append(event("1"))).isInstanceOf(NoTransactionException.class);
            // binds a connection of the store's data source to the foreign transaction, in autocommit
            template.queryForObject("select 1", Integer.class);
            assertThatThrownBy(() -> outbox.append(event("2")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContainingAll("not one on its data source", "transaction manager");
        });
        assertThat(journal.ids()).isEmpty();
    }

    @Test
    void a_suspended_transaction_is_refused() {
        TransactionTemplate never = new TransactionTemplate(manager);
        never.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
        assertThatThrownBy(() -> never.executeWithoutResult(status -> outbox.append(event("1"))))
                .isInstanceOf(NoTransactionException.class);
        assertThat(journal.ids()).isEmpty();
    }

    private AtomicInteger listen() {
        AtomicInteger raised = new AtomicInteger();
        stores.get("main").wake().add(raised::incrementAndGet);
        return raised;
    }

    private static void onEnd(TransactionSynchronization synchronization) {
        TransactionSynchronizationManager.registerSynchronization(synchronization);
    }

    private static Throwable failureOf(Runnable work) {
        try {
            work.run();
            return new AssertionError("it did not fail");
        } catch (RuntimeException e) {
            return e;
        }
    }
}
