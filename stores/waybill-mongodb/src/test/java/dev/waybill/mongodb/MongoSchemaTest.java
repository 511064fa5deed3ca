package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MongoSchemaTest {
    private final MongoWorld world = MongoWorld.inMemory();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void the_outbox_gets_the_indexes_of_its_document_and_four_of_ours() {
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);

        Map<String, Document> indexes = indexes(MongoWorld.OUTBOX);
        assertThat(indexes)
                .containsOnlyKeys(
                        "_id_",
                        "event_id_1",
                        "status_1_created_at_1",
                        "status_1_published_at_1",
                        "locked_until_1",
                        "entity_id_1_entity_version_1",
                        "partition_key_1_status_1_created_at_1_entity_version_1_appended_at_1__id_1",
                        "partition_key_1_status_1_waybill.state_1",
                        "status_1_waybill.state_1_created_at_1_entity_version_1_appended_at_1__id_1",
                        "status_1_waybill.next_attempt_at_1");
        assertThat(indexes.get("event_id_1")).containsEntry("unique", true);
        assertThat(indexes.get("status_1_waybill.next_attempt_at_1")).containsKey("partialFilterExpression");
    }

    @Test
    void missing_indexes_are_listed() {
        assertThat(MongoSchema.missing(world.database(), MongoWorld.OUTBOX))
                .hasSize(9)
                .contains("(event_id)");

        MongoSchema.create(world.database(), MongoWorld.OUTBOX);

        assertThat(MongoSchema.missing(world.database(), MongoWorld.OUTBOX)).isEmpty();
    }

    @Test
    void the_inbox_has_a_unique_and_an_expiring_index() {
        MongoInbox.on(world.database()).create();

        Map<String, Document> indexes = indexes("processed_events");
        assertThat(indexes.get("consumer_group_1_event_id_1")).containsEntry("unique", true);
        assertThat(((Number) indexes.get("processed_at_1").get("expireAfterSeconds")).longValue())
                .isEqualTo(30L * 24 * 3600);
    }

    private Map<String, Document> indexes(String collection) {
        Map<String, Document> byName = new TreeMap<>();
        for (Document index : world.database().getCollection(collection).listIndexes()) {
            byName.put(index.getString("name"), index);
        }
        return byName;
    }
}
