package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** A transaction commits behind the back of a scan, and another one of its entity in front of it. */
class MissedByTheScanTest {
    private static final Instant NOON = Instant.parse("2026-05-04T12:00:00Z");

    @Test
    void a_late_record_is_not_overtaken_by_a_later_one_of_its_entity() {
        BehindTheScan behind = new BehindTheScan();
        try (MongoWorld world = MongoWorld.inMemory(behind);
                MongoClient other = MongoClients.create(world.uri())) {
            MongoSchema.create(world.database(), MongoWorld.OUTBOX);
            world.database()
                    .getCollection(MongoWorld.OUTBOX)
                    .insertOne(OutboxScene.foreign("later", "u1", 2, NOON.plusMillis(1)));
            RelaySession session = MongoStore.on(world.database(), MongoWorld.OUTBOX)
                    .open(OutboxScene.RELAY, new OwnerId("one"), OutboxScene.LEASE)
                    .orElseThrow();
            behind.then(() -> other.getDatabase(world.database().getName())
                    .getCollection(MongoWorld.OUTBOX)
                    .insertOne(OutboxScene.foreign("earlier", "u1", 1, NOON)));

            assertThat(OutboxScene.drain(session)).isEmpty();
            assertThat(behind.hasHappened()).isTrue();
            assertThat(OutboxScene.drain(session)).containsExactly("earlier", "later");
            session.close();
        }
    }

    /** Runs an action right after the driver has read the pending records. */
    private static final class BehindTheScan implements CommandListener {
        private final AtomicBoolean armed = new AtomicBoolean();
        private final AtomicBoolean happened = new AtomicBoolean();
        private volatile Runnable deed = () -> {};

        void then(Runnable whatToDo) {
            deed = whatToDo;
            armed.set(true);
        }

        boolean hasHappened() {
            return happened.get();
        }

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            boolean found = event.getCommandName().equals("find")
                    && Document.parse(event.getResponse().toJson()).toString().contains("u1");
            if (found && armed.compareAndSet(true, false)) {
                deed.run();
                happened.set(true);
            }
        }
    }
}
