package dev.waybill.server.api;

import dev.waybill.server.cli.JournalScene;
import dev.waybill.testkit.SharedPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The admin API over a new journal, and a second store whose server does not exist. */
abstract class JournalApiFixture {
    static final String V = ServedApi.VIEWER;
    static final String O = ServedApi.OPERATOR;

    @TempDir
    Path directory;

    JournalScene journal;
    ServedApi api;

    @BeforeEach
    void create() throws Exception {
        journal = JournalScene.create(SharedPostgres.server());
        api = ServedApi.start(directory, "", """
                stores:
                  orders: { type: postgres-journal, url: "%s", user: postgres }
                  away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  main: { store: orders, destination: rabbit }
                  invoices: { store: orders, destination: rabbit, route: { aggregate-type: { Invoice: invoices } } }
                  lost: { store: away, destination: rabbit }
                """.formatted(journal.url().replaceFirst("[?].*", "")));
    }

    @AfterEach
    void close() {
        api.close();
    }

    static List<JsonNode> list(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false).toList();
    }

    JsonNode preview(String action, String selection) throws Exception {
        return api.change(
                "/api/actions/preview",
                O,
                "{\"action\":\"" + action + "\",\"store\":\"orders\",\"relay\":\"main\"," + selection + "}");
    }
}
