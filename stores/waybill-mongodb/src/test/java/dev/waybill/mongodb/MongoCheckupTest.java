package dev.waybill.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Finding.Severity;
import dev.waybill.spi.OwnerId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MongoCheckupTest {
    private final MongoWorld world = MongoWorld.inMemory();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void missing_indexes_are_named_with_the_remedy() {
        Finding indexes = finding("indexes");
        assertThat(indexes.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(indexes.what()).contains("(event_id)", "(status, created_at)");
        assertThat(indexes.remedy()).contains("waybill init");
    }

    @Test
    void a_correct_outbox_has_no_findings() {
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        MongoStore store = MongoStore.on(world.database(), MongoWorld.OUTBOX);
        store.open(new RelayName("orders"), new OwnerId("one"), Duration.ofSeconds(30))
                .orElseThrow()
                .close();
        assertThat(finding("indexes").severity()).isEqualTo(Severity.FINE);
        assertThat(finding("clock"))
                .isEqualTo(Finding.fine("clock", "the database's clock and this machine's clock agree"));
        assertThat(finding("connection").what()).contains("MongoDB", MongoWorld.OUTBOX);
    }

    @Test
    void records_with_an_unknown_status_are_counted() {
        MongoSchema.create(world.database(), MongoWorld.OUTBOX);
        assertThat(finding("records").severity()).isEqualTo(Severity.FINE);
        for (String status : Arrays.asList(null, "Pending")) {
            world.database()
                    .getCollection(MongoWorld.OUTBOX)
                    .insertOne(OutboxScene.foreign("of " + status, "u1", 1, Instant.EPOCH)
                            .append("status", status));
        }
        Finding records = finding("records");
        assertThat(records.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(records.what()).startsWith("2 have no status");
    }

    @Test
    void an_unavailable_server_is_a_finding() {
        try (MongoClient nobody =
                MongoClients.create("mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200&connectTimeoutMS=200")) {
            List<Finding> findings =
                    MongoStore.on(nobody.getDatabase("shop"), "outbox").admin().examine();
            assertThat(findings).singleElement().satisfies(finding -> {
                assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
                assertThat(finding.what()).contains("cannot be reached");
            });
        }
    }

    private Finding finding(String subject) {
        List<Finding> findings =
                MongoStore.on(world.database(), MongoWorld.OUTBOX).admin().examine();
        return findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .findAny()
                .orElseThrow(() -> new AssertionError("No word on " + subject + " in " + findings));
    }
}
