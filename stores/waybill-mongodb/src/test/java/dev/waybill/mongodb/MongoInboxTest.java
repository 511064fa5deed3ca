package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.NoTransactionException;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MongoInboxTest {
    private static final String GROUP = "sc-proj-user-cards";

    private final MongoWorld world = MongoWorld.inMemory();
    private final MongoInbox inbox = MongoInbox.on(world.database());
    private final MongoTransactions transactions = MongoTransactions.on(world.client());

    @BeforeEach
    void create() {
        inbox.create();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void a_marker_has_the_fields_of_its_document() {
        assertThat(handle(Incoming.event("e1").ofEntity("65a1b2c3", 5))).isEqualTo(Outcome.HANDLED);

        Document marker =
                world.database().getCollection("processed_events").find().first();
        assertThat(marker)
                .containsEntry("consumer_group", GROUP)
                .containsEntry("event_id", "e1")
                .containsEntry("entity_id", "65a1b2c3")
                .containsEntry("entity_version", 5L)
                .hasSize(6);
        assertThat(marker.getDate("processed_at").toInstant()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    }

    @Test
    void an_older_version_is_recorded_and_not_applied() {
        handle(Incoming.event("e5").ofEntity("u1", 5));

        assertThat(handle(Incoming.event("e4").ofEntity("u1", 4))).isEqualTo(new Outcome.Stale(5));
        assertThat(handle(Incoming.event("e4").ofEntity("u1", 4))).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void the_second_of_two_concurrent_consumers_retries_and_finds_a_duplicate() {
        Incoming event = Incoming.event("e1");
        try (ClientSession first = world.client().startSession()) {
            first.startTransaction();
            inbox.handleOnce(first, GROUP, event, open -> {});
            assertThatExceptionOfType(TransactionConflictException.class).isThrownBy(() -> handle(event));
            first.commitTransaction();
        }

        assertThat(handle(event)).isEqualTo(Outcome.DUPLICATE);
    }

    @Test
    void without_a_transaction_it_is_refused_with_the_remedy() {
        try (ClientSession session = world.client().startSession()) {
            assertThatExceptionOfType(NoTransactionException.class)
                    .isThrownBy(() -> inbox.handleOnce(session, GROUP, Incoming.event("e1"), open -> {}))
                    .withMessageContaining("startTransaction");
        }
    }

    @Test
    void an_unavailable_server_is_not_a_failure() throws IOException {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new com.mongodb.ConnectionString("mongodb://127.0.0.1:1"))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(50, TimeUnit.MILLISECONDS))
                .build();
        try (MongoClient nobody = MongoClients.create(settings)) {
            MongoInbox away = MongoInbox.on(nobody.getDatabase("away"));
            assertThatExceptionOfType(TransactionsUnavailableException.class)
                    .isThrownBy(() -> MongoTransactions.on(nobody)
                            .call(session -> away.handleOnce(session, GROUP, Incoming.event("e1"), open -> {})));
        }
    }

    private Outcome handle(Incoming event) {
        return transactions.call(session -> inbox.handleOnce(session, GROUP, event, open -> {}));
    }
}
