package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.waybill.RelayName;
import dev.waybill.mongodb.MongoStore;
import dev.waybill.spi.OwnerId;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The night shift's commands on an outbox in MongoDB: they read as on any other store. The server is the one in memory. */
class CommandsOnMongoTest {
    private final Cli cli = new Cli();
    private final MongoServer server = new MongoServer(new MemoryBackend());
    private MongoClient client;
    private Path file;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws IOException {
        InetSocketAddress address = server.bind();
        String uri = "mongodb://" + address.getHostString() + ":" + address.getPort();
        client = MongoClients.create(uri);
        file = Files.writeString(directory.resolve("waybill.yaml"), """
                stores:
                  shop: { type: mongodb, uri: "%s", database: shop }
                destinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
                relays:
                  shop-to-kafka: { store: shop, destination: kafka, format: stored, route: { by: stored-topic } }
                """.formatted(uri));
    }

    @AfterEach
    void stop() {
        client.close();
        server.shutdownNow();
    }

    @Test
    void init_creates_the_indexes_and_is_idempotent() {
        for (int round = 0; round < 2; round++) {
            assertThat(cli.run("init", "--config", file.toString())).isZero();
            assertThat(cli.out()).contains("init: store shop: the collection outbox has its indexes");
        }
        assertThat(outbox().listIndexes()).hasSizeGreaterThan(6);
    }

    @Test
    void a_dead_record_is_counted_listed_shown_requeued_and_audited() {
        assertThat(cli.run("init", "--config", file.toString())).isZero();
        outbox().insertOne(dead("evt-1"));
        MongoStore.on(client.getDatabase("shop"), "outbox")
                .open(new RelayName("shop-to-kafka"), new OwnerId("host 7"), Duration.ofSeconds(30))
                .orElseThrow()
                .close();

        assertThat(run("status", "--json")).isZero();
        assertThat(cli.json().get(0).get("dead").asInt()).isEqualTo(1);
        assertThat(run("events", "--relay", "shop-to-kafka", "--state", "dead")).isZero();
        assertThat(cli.out()).contains("evt-1", "order.placed.v1");
        assertThat(run("show", "evt-1")).isZero();
        assertThat(cli.out()).contains("topic orders does not exist");

        assertThat(run("requeue", "--relay", "shop-to-kafka", "--as", "anna", "--yes", "evt-1"))
                .isZero();
        assertThat(run("status", "--json")).isZero();
        assertThat(cli.json().get(0).get("dead").asInt()).isZero();
        assertThat(run("audit")).isZero();
        assertThat(cli.out()).contains("anna", "requeue", "evt-1");
    }

    @Test
    void a_replay_is_refused_with_the_reason() {
        assertThat(run("replay", "list", "--store", "shop")).isNotEqualTo(ExitCode.FAILED.number());
        assertThat(cli.run(
                        "replay",
                        "start",
                        "--config",
                        file.toString(),
                        "--relay",
                        "shop-to-kafka",
                        "--from",
                        "1h",
                        "--yes"))
                .isEqualTo(ExitCode.USAGE.number());
        assertThat(cli.err()).contains("cannot be replayed");
    }

    private int run(String... command) {
        String[] all = new String[command.length + 2];
        System.arraycopy(command, 0, all, 0, command.length);
        all[command.length] = "--config";
        all[command.length + 1] = file.toString();
        return cli.run(all);
    }

    private MongoCollection<Document> outbox() {
        return client.getDatabase("shop").getCollection("outbox");
    }

    private static Document dead(String id) {
        return new Document("event_id", id)
                .append("event_type", "order.placed.v1")
                .append("entity_type", "Order")
                .append("entity_id", "o-1")
                .append("entity_version", 1)
                .append("topic", "orders")
                .append("partition_key", "o-1")
                .append("payload", new Document("total", 3))
                .append("status", "failed")
                .append("retry_count", 5)
                .append("max_retries", 5)
                .append("last_error", "topic orders does not exist")
                .append("created_at", Instant.now());
    }
}
