package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.Selection;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.server.cli.JournalScene;
import dev.waybill.spi.Settlement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LikelyTopicsTest {
    @TempDir
    private Path directory;

    @Test
    void a_topic_that_only_discarded_events_would_need_is_not_expected() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            JournalScene journal = JournalScene.create(server);
            journal.append("published.v1", 1);
            List<String> dead = journal.append("dead.v1", 1);
            List<String> discarded = journal.append("mistyped.v1", 1);
            journal.relay(
                    "orders",
                    place -> place == 0 ? Settlement.PUBLISHED : new Settlement.Dead("no topic", true, false));
            Path file = Files.writeString(directory.resolve("waybill.yaml"), """
                    stores:
                      journal: { type: postgres-journal, url: "%s" }
                    destinations:
                      kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
                    relays:
                      orders: { store: journal, destination: kafka }
                    """.formatted(journal.url()));
            try (Installation installation = Installation.read(file)) {
                assertThat(LikelyTopics.of(installation, "kafka"))
                        .containsExactly("dead.v1", "mistyped.v1", "published.v1");

                Actor ada = new Actor("ada", "a mistake");
                installation.admin("journal").discard(new RelayName("orders"), Selection.of(discarded), ada);
                assertThat(LikelyTopics.of(installation, "kafka")).containsExactly("dead.v1", "published.v1");

                installation.admin("journal").discard(new RelayName("orders"), Selection.of(dead), ada);
                assertThat(LikelyTopics.of(installation, "kafka")).containsExactly("published.v1");
            }
        }
    }
}
