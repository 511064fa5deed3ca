package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.Filters;
import dev.waybill.RelayName;
import dev.waybill.RetryPolicy;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayOptions;
import dev.waybill.route.Route;
import dev.waybill.spi.StoredEvent;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an outage of the broker does to records. */
class CountedOutagesTest {
    private static final RetryPolicy SOON =
            MongoStore.relayDefaults().retry().first(Duration.ofMillis(5)).max(Duration.ofMillis(5));

    private final MongoWorld world = MongoWorld.inMemory();
    private final InMemoryDestination broker = new InMemoryDestination();
    private final List<String> dead = new CopyOnWriteArrayList<>();
    private final List<String> unavailable = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void by_default_it_counts_nothing_and_changes_no_record() {
        append("e-1", "e-2");
        broker.goAway();
        Relay relay = start(false);
        try (relay) {
            Await.until("an outage", () -> !unavailable.isEmpty());
            broker.comeBack();
            Await.until("both", () -> broker.delivered().size() == 2);
        }
        for (String id : List.of("e-1", "e-2")) {
            assertThat(record(id).getString("status")).isEqualTo("published");
            assertThat(record(id).getInteger("retry_count")).isZero();
            assertThat(record(id).getString("last_error")).isNull();
        }
    }

    @Test
    void if_it_counts_a_record_is_dead_after_its_own_max_retries_and_the_next_of_its_entity_follows() {
        append("e-1", "e-2");
        broker.goAway();
        Relay relay = start(true);
        try (relay) {
            Await.until("the first to be dead", () -> dead.contains("e-1"));
            broker.comeBack();
            Await.until(
                    "the second",
                    () -> dead.contains("e-2") || !broker.delivered().isEmpty());
        }
        Document first = record("e-1");
        assertThat(first.getString("status")).isEqualTo("failed");
        assertThat(first.getInteger("retry_count")).isEqualTo(first.getInteger("max_retries"));
        assertThat(first.getString("last_error")).isNotBlank();
        assertThat(first.get("last_error_at")).isNotNull();
        assertThat(record("e-2").getInteger("retry_count")).isLessThanOrEqualTo(5);
    }

    private void append(String... ids) {
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        MongoOutbox outbox = MongoOutbox.on(world.database(), MongoWorld.OUTBOX);
        for (String id : ids) {
            MongoTransactions.on(world.client()).call(session -> {
                outbox.append(session, OutboxScene.event(id, "user-1"));
                return null;
            });
        }
    }

    private Relay start(boolean countOutages) {
        return Relay.named("users")
                .from(MongoStore.on(world.database(), MongoWorld.OUTBOX))
                .to(broker)
                .route(Route.fixed("users"))
                .options(RelayOptions.of(MongoStore.relayDefaults()).retry(SOON).countOutages(countOutages))
                .listener(new RelayListener() {
                    @Override
                    public void dead(RelayName relay, StoredEvent event, String error) {
                        dead.add(event.id().toString());
                    }

                    @Override
                    public void unavailable(RelayName relay, String error) {
                        unavailable.add(error);
                    }
                })
                .start();
    }

    private Document record(String id) {
        return world.database()
                .getCollection(MongoWorld.OUTBOX)
                .find(Filters.eq("event_id", id))
                .first();
    }
}
