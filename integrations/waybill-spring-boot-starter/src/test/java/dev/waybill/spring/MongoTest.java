package dev.waybill.spring;

import static dev.waybill.spring.shop.Shop.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.waybill.NoTransactionException;
import dev.waybill.standin.MongoStandIn;
import dev.waybill.spring.boot.properties.StoreType;
import dev.waybill.spring.boot.store.WaybillStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class MongoTest {
    private static MongoStandIn server;
    private static MongoClient client;

    private final ApplicationContextRunner runner = Runner.bare()
            .withUserConfiguration(Databases.class)
            .withPropertyValues("waybill.stores.main.schema=create");

    @BeforeAll
    static void start() {
        server = MongoStandIn.start(Duration.ofSeconds(60));
        client = MongoClients.create(server.uri());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Databases {
        @Bean
        MongoDatabaseFactory databases() {
            return new SimpleMongoClientDatabaseFactory(client, "shop");
        }

        @Bean
        MongoTransactionManager transactionManager(MongoDatabaseFactory databases) {
            return new MongoTransactionManager(databases);
        }

        @Bean
        MongoTemplate mongoTemplate(MongoDatabaseFactory databases) {
            return new MongoTemplate(databases);
        }
    }

    @Test
    void without_a_data_source_the_store_main_is_the_collection() {
        runner.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(WaybillStores.class).get("main").type()).isEqualTo(StoreType.MONGODB);
            assertThat(context.getBean(WaybillStores.class).get("main").admin().relays())
                    .isEmpty();
        });
    }

    @Test
    void missing_indexes_are_reported_at_the_start() {
        Runner.bare()
                .withUserConfiguration(Databases.class)
                .withPropertyValues("waybill.stores.main.collection=elsewhere")
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(Runner.analysis(context.getStartupFailure()).getDescription())
                            .contains("collection elsewhere", "event_id");
                });
    }

    @Test
    void an_event_is_committed_with_the_document() {
        runner.run(context -> {
            MongoTemplate mongo = context.getBean(MongoTemplate.class);
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            TransactionTemplate transaction = transaction(context);
            long before = events(mongo);
            AtomicInteger raised = new AtomicInteger();
            context.getBean(WaybillStores.class).get("main").wake().add(raised::incrementAndGet);
            transaction.executeWithoutResult(status -> {
                mongo.insert(new Document("state", "new"), "orders");
                outbox.append(event("1"));
                assertThat(raised).hasValue(0);
            });
            assertThat(events(mongo)).isEqualTo(before + 1);
            assertThat(raised).hasValue(1);
            transaction.executeWithoutResult(status -> {
                outbox.append(event("2"));
                status.setRollbackOnly();
            });
            assertThat(events(mongo)).isEqualTo(before + 1);
        });
    }

    @Test
    void without_a_transaction_or_after_it_an_event_is_refused() {
        runner.run(context -> {
            MongoTemplate mongo = context.getBean(MongoTemplate.class);
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            TransactionTemplate transaction = transaction(context);
            long before = events(mongo);
            List<Throwable> refused = new ArrayList<>();
            assertThatThrownBy(() -> outbox.append(event("1")))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("@Transactional");
            transaction.executeWithoutResult(status ->
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            try {
                                outbox.append(event("2"));
                            } catch (NoTransactionException e) {
                                refused.add(e);
                            }
                        }
                    }));
            assertThat(refused).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("AFTER_COMMIT"));
            TransactionTemplate readOnly = transaction(context);
            readOnly.setReadOnly(true);
            assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> outbox.append(event("3"))))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("read-only");
            assertThat(events(mongo)).isEqualTo(before);
        });
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(MongoTransactionManager.class));
    }

    private static long events(MongoTemplate mongo) {
        return mongo.getCollection("outbox").countDocuments();
    }
}
