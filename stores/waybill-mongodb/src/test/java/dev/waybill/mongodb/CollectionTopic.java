package dev.waybill.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.bson.Document;

/** A broker that several processes can send to and a test can read: a collection in which messages are numbered. */
final class CollectionTopic implements Destination {
    private final MongoCollection<Document> messages;
    private final MongoCollection<Document> counters;

    CollectionTopic(MongoDatabase database) {
        this.messages = database.getCollection("topic");
        this.counters = database.getCollection("topic_counter");
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(Guarantees.KeyOrder.KEPT_IN_FLIGHT, 1_000_000);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        long next = next(batch.size());
        List<Document> documents = new ArrayList<>();
        for (OutboundMessage message : batch) {
            documents.add(new Document("_id", next++)
                    .append("event_id", message.event().id().toString())
                    .append("topic", message.topic())
                    .append("key", new String(message.key(), StandardCharsets.UTF_8))
                    .append("value", new String(message.value(), StandardCharsets.UTF_8)));
        }
        messages.insertMany(documents);
        return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), Delivery.DELIVERED));
    }

    private long next(int count) {
        Document before = counters.findOneAndUpdate(
                Filters.eq("_id", "messages"),
                Updates.inc("next", (long) count),
                new FindOneAndUpdateOptions().upsert(true));
        return before == null ? 0 : before.getLong("next");
    }

    /** What has arrived, in order, repeats included. */
    List<Document> arrived() {
        return messages.find().sort(Sorts.ascending("_id")).into(new ArrayList<>());
    }

    long count() {
        return messages.countDocuments();
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
