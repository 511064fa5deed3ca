package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.spi.TransactionConflictException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonBoolean;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands of a transaction. Its atomicity is the server's guarantee and not tested here. */
class TransactionCommandsTest {
    private final SentCommands sent = new SentCommands();
    private final MongoWorld world = MongoWorld.inMemory(sent);
    private final MongoTransactions transactions = MongoTransactions.on(world.client());
    private final MongoOutbox outbox = MongoOutbox.on(world.database(), MongoWorld.OUTBOX);
    private final MongoCollection<Document> users = world.database().getCollection("users");

    @BeforeEach
    void create() {
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        users.insertOne(new Document("_id", "u1").append("version", 1));
        sent.forget();
    }

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void entity_and_record_are_written_in_one_session_and_transaction_and_committed_after_both() {
        transactions.call(session -> {
            change(session);
            outbox.append(session, event("e1"));
            return null;
        });

        assertThat(sent.names()).containsExactly("update", "update", "commitTransaction");
        assertOneTransaction();
        SentCommands.Sent commit = sent.all().get(2);
        assertThat(commit.command().getDocument("writeConcern").getString("w")).isEqualTo(new BsonString("majority"));
        assertThat(users.find().first()).containsEntry("version", 2);
        assertThat(records()).isEqualTo(1);
    }

    @Test
    void an_exception_aborts_both_and_is_thrown_unchanged() {
        IOException failure = new IOException("no paper");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> transactions.call(session -> {
                    change(session);
                    outbox.append(session, event("e1"));
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(sent.names()).containsExactly("update", "update", "abortTransaction");
        assertOneTransaction();
        assertThat(users.find().first()).containsEntry("version", 1);
        assertThat(records()).isZero();
    }

    @Test
    void a_duplicate_event_fails_the_transaction_or_is_skipped() {
        transactions.call(session -> {
            outbox.append(session, event("e1"));
            return null;
        });
        assertThatExceptionOfType(DuplicateEventException.class)
                .isThrownBy(() -> transactions.call(session -> {
                    change(session);
                    outbox.append(session, event("e1"));
                    return null;
                }))
                .withMessageContaining("e1")
                .withMessageContaining("appendIfAbsent");
        assertThat(users.find().first()).containsEntry("version", 1);

        int written = transactions.call(session -> {
            assertThat(outbox.exists(session, "e1")).isTrue();
            assertThat(outbox.exists(session, "e2")).isFalse();
            return outbox.appendIfAbsent(session, event("e1"), event("e2"));
        });
        assertThat(written).isEqualTo(1);
        assertThat(records()).isEqualTo(2);
    }

    @Test
    void several_events_are_appended_with_one_command() {
        transactions.call(session -> {
            outbox.append(session, event("e1"), event("e2"), event("e3"));
            return null;
        });

        assertThat(sent.names()).containsExactly("update", "commitTransaction");
        assertThat(sent.all().get(0).command().getArray("updates")).hasSize(3);
    }

    @Test
    void a_transaction_conflict_is_reported_as_retryable() {
        try (ClientSession other = world.client().startSession()) {
            other.startTransaction();
            change(other);

            assertThatExceptionOfType(TransactionConflictException.class)
                    .isThrownBy(() -> transactions.call(session -> {
                        change(session);
                        outbox.append(session, event("e1"));
                        return null;
                    }));
            other.commitTransaction();
        }
        assertThat(users.find().first()).containsEntry("version", 2);
        assertThat(records()).isZero();
    }

    @Test
    void an_append_without_a_transaction_is_refused_with_the_remedy() {
        try (ClientSession session = world.client().startSession()) {
            assertThatExceptionOfType(NoTransactionException.class)
                    .isThrownBy(() -> outbox.append(session, event("e1")))
                    .withMessageContaining("startTransaction")
                    .withMessageContaining("commitTransaction");
        }
        assertThat(sent.all()).isEmpty();
    }

    private void assertOneTransaction() {
        List<SentCommands.Sent> all = sent.all();
        Set<Object> sessions = new HashSet<>();
        Set<Object> numbers = new HashSet<>();
        for (SentCommands.Sent one : all) {
            sessions.add(one.session());
            numbers.add(one.transaction());
            assertThat(one.command().get("autocommit")).isEqualTo(BsonBoolean.FALSE);
        }
        assertThat(sessions).hasSize(1).doesNotContainNull();
        assertThat(numbers).hasSize(1).doesNotContainNull();
        assertThat(all.stream().map(SentCommands.Sent::begins).toList()).containsExactly(true, false, false);
    }

    private void change(ClientSession session) {
        users.updateOne(session, Filters.eq("_id", "u1"), Updates.inc("version", 1));
    }

    private long records() {
        return world.database().getCollection(MongoWorld.OUTBOX).countDocuments();
    }

    private static Event event(String id) {
        return Event.of("user.created")
                .aggregate("user", "u1")
                .payload(Payload.json("{}"))
                .id(id);
    }
}
