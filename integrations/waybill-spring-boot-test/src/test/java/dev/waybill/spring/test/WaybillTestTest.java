package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.spring.test.shop.OrderPlaced;
import dev.waybill.spring.test.shop.OrderService;
import dev.waybill.spring.test.shop.Shop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class WaybillTestTest {

    @Nested
    @WaybillTest
    @SpringBootTest(
            classes = Shop.class,
            properties = {
                "waybill.stores.main.schema=validate",
                "waybill.stores.billing.data-source=nowhere",
                "waybill.stores.billing.max-payload-bytes=100"
            })
    class InAnApplication {
        @Autowired
        private OrderService service;

        @Autowired
        private AppendedEvents appended;

        @Autowired
        private SpringOutbox outbox;

        @Autowired
        @Qualifier("billing") private SpringOutbox billing;

        @Autowired
        private TransactionTemplate transaction;

        @Autowired
        private ApplicationContext context;

        @Autowired
        private DataSource dataSource;

        @Test
        void appended_events_are_seen_without_tables() {
            service.place(42);
            assertThat(appended)
                    .appended("order.placed")
                    .withKey("42")
                    .withAggregate("Order", "42")
                    .withPayloadContaining("\"customer\":\"Ada\"")
                    .times(1);
            assertThat(appended.in("main")).hasSize(1);
            assertThat(context.getBeanNamesForType(WaybillStores.class)).isEmpty();
        }

        @Test
        void each_test_begins_without_events() {
            assertThat(appended).isEmpty();
        }

        @Test
        void a_rollback_takes_events_back() {
            transaction.executeWithoutResult(status -> {
                outbox.append(new OrderPlaced(1, "Ada"));
                assertThat(appended).appended("order.placed.v1");
                status.setRollbackOnly();
            });
            assertThat(appended).isEmpty();
        }

        @Test
        void a_rollback_to_a_savepoint_takes_back_what_was_appended_since() {
            TransactionTemplate nested = new TransactionTemplate(plainJdbc());
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            new TransactionTemplate(plainJdbc()).executeWithoutResult(status -> {
                outbox.append(new OrderPlaced(1, "Ada"));
                nested.executeWithoutResult(inner -> {
                    outbox.append(new OrderPlaced(2, "Ada"));
                    nested.executeWithoutResult(innermost -> outbox.append(new OrderPlaced(3, "Ada")));
                    inner.setRollbackOnly();
                });
                nested.executeWithoutResult(inner -> outbox.append(new OrderPlaced(4, "Ada")));
                Object savepoint = status.createSavepoint();
                outbox.append(new OrderPlaced(5, "Ada"));
                status.rollbackToSavepoint(savepoint);
                outbox.append(new OrderPlaced(6, "Ada"));
            });
            assertThat(appended.all()).extracting(Event::aggregateId).containsExactly("1", "4", "6");
        }

        /** One that knows savepoints, which JPA does not offer. */
        private PlatformTransactionManager plainJdbc() {
            return new DataSourceTransactionManager(dataSource);
        }

        @Test
        void a_commit_that_fails_takes_events_back() {
            TransactionTemplate failing = new TransactionTemplate(new FailsToCommit(dataSource));
            assertThatThrownBy(() -> failing.executeWithoutResult(status -> outbox.append(new OrderPlaced(1, "Ada"))))
                    .isInstanceOf(TransactionSystemException.class);
            assertThat(appended).isEmpty();
        }

        @Test
        void an_id_is_refused_twice_unless_the_first_transaction_was_rolled_back() {
            Event event = Event.of("a").aggregate("A", "1").payload(Payload.json("1"));
            transaction.executeWithoutResult(status -> {
                outbox.append(event);
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> outbox.append(event));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> outbox.append(event)))
                    .isInstanceOf(DuplicateEventException.class)
                    .hasMessageContaining(event.id());
            assertThat(appended).appended("a").times(1);
            Event other = Event.of("b").aggregate("A", "1").payload(Payload.json("1"));
            assertThatThrownBy(
                            () -> transaction.executeWithoutResult(status -> outbox.appendAll(List.of(other, other))))
                    .isInstanceOf(DuplicateEventException.class);
            transaction.executeWithoutResult(status -> billing.append(event));
            assertThat(appended.all()).extracting(Event::type).containsExactly("a", "a");
        }

        @Test
        void what_the_store_cannot_hold_is_refused_as_by_the_real_one() {
            refused(outbox, ofSize(10).id("not-a-uuid"), "accepts only UUIDs");
            refused(outbox, ofSize(1_000_000), "at most 1000000");
            refused(billing, ofSize(100), "at most 100");
            assertThat(appended).isEmpty();
        }

        private static Event ofSize(int characters) {
            return Event.of("a").aggregate("A", "1").payload(Payload.json("\"" + "x".repeat(characters) + "\""));
        }

        private void refused(SpringOutbox by, Event event, String why) {
            for (Consumer<Event> append :
                    List.<Consumer<Event>>of(each -> by.append(each), each -> by.appendIfAbsent(each))) {
                assertThatThrownBy(() -> transaction.executeWithoutResult(status -> append.accept(event)))
                        .isInstanceOf(InvalidEventException.class)
                        .hasMessageContaining(why);
            }
        }

        @Test
        void after_the_commit_it_is_refused_as_by_the_real_one() {
            List<String> refusals = new ArrayList<>();
            TransactionSynchronization callback = new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    outbox.append(new OrderPlaced(1, "Ada"));
                }

                @Override
                public void afterCommit() {
                    refuse(() -> outbox.append(new OrderPlaced(2, "Ada")));
                    another().executeWithoutResult(status -> outbox.append(new OrderPlaced(3, "Ada")));
                    refuse(() -> outbox.append(new OrderPlaced(4, "Ada")));
                }

                @Override
                public void afterCompletion(int status) {
                    refuse(() -> outbox.append(new OrderPlaced(5, "Ada")));
                }

                private void refuse(Runnable append) {
                    try {
                        append.run();
                    } catch (NoTransactionException e) {
                        refusals.add(e.getMessage());
                    }
                }
            };
            transaction.executeWithoutResult(
                    status -> TransactionSynchronizationManager.registerSynchronization(callback));
            assertThat(refusals).hasSize(3).allMatch(each -> each.contains("has already committed"));
            assertThat(appended.all()).extracting(Event::aggregateId).containsExactly("1", "3");
            transaction.executeWithoutResult(status -> outbox.append(new OrderPlaced(6, "Ada")));
            assertThat(appended).appended("order.placed").withKey("6");
        }

        private TransactionTemplate another() {
            TransactionTemplate another = new TransactionTemplate(transaction.getTransactionManager());
            another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            return another;
        }

        @Test
        void nothing_is_appended_without_a_transaction_too() {
            outbox.appendAll(List.of());
            assertThat(outbox.appendIfAbsent()).isZero();
            assertThat(appended).isEmpty();
        }

        @Test
        void a_description_is_kept_while_events_are_narrowed_down() {
            service.place(42);
            assertThatThrownBy(() -> assertThat(appended)
                            .as("the order of Ada")
                            .appended("order.placed")
                            .withKey("43"))
                    .hasMessageContaining("the order of Ada");
        }

        @Test
        void each_store_has_its_own_outbox() {
            transaction.executeWithoutResult(status -> billing.append(new OrderPlaced(1, "Ada")));
            assertThat(appended.in("billing")).hasSize(1);
            assertThat(appended.in("main")).isEmpty();
            WaybillAssertions.assertThat(billing).appended("order.placed").withKey("1");
            WaybillAssertions.assertThat(outbox).isEmpty();
        }

        @Test
        void without_a_transaction_it_is_refused_as_by_the_real_one() {
            assertThatThrownBy(() -> outbox.append(new OrderPlaced(1, "Ada")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("@Transactional");
        }

        @Test
        void known_ids_are_skipped_if_asked_for() {
            Event event =
                    Event.of("a").aggregate("A", "1").payload(Payload.json("1")).header("tenant", "acme");
            transaction.executeWithoutResult(status -> {
                assertThat(outbox.appendIfAbsent(event)).isEqualTo(1);
                assertThat(outbox.appendIfAbsent(event)).isZero();
            });
            assertThat(appended).appended("a").withHeader("tenant", "acme");
        }

        @Test
        void a_failed_assertion_says_what_was_appended() {
            service.place(42);
            assertThatThrownBy(
                            () -> assertThat(appended).appended("order.placed").withKey("43"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll("having key 43", "order.placed.v1 of Order 42");
        }
    }

    @Nested
    @WaybillTest
    @DataJpaTest
    @ContextConfiguration(classes = Shop.class)
    class InASliceOfJpa {
        @Autowired
        private ApplicationEventPublisher events;

        @Autowired
        private AppendedEvents appended;

        @Test
        void published_events_are_seen_in_the_transaction_of_the_test() {
            events.publishEvent(new OrderPlaced(7, "Ada"));
            assertThat(appended).appended("order.placed").withKey("7");
        }
    }

    @Nested
    @WaybillTest
    @JdbcTest
    @Import(OrderService.class)
    @ContextConfiguration(classes = Shop.class)
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    class InASliceOfJdbc {
        @Autowired
        private OrderService service;

        @Autowired
        private AppendedEvents appended;

        @Test
        void committed_events_are_seen() {
            service.place(8);
            assertThat(appended).appended("order.placed").withKey("8");
        }
    }

    /** As with a constraint that the database checks at the end. */
    @SuppressWarnings("serial")
    private static final class FailsToCommit extends DataSourceTransactionManager {
        FailsToCommit(DataSource dataSource) {
            super(dataSource);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            doRollback(status);
            throw new TransactionSystemException("planted");
        }
    }
}
