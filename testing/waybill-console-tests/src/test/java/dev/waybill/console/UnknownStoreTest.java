package dev.waybill.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.server.config.Installation;
import dev.waybill.server.process.RunningProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees while no store can be read: that nothing is known, and never that there is nothing. */
@Timeout(180)
class UnknownStoreTest {
    private static final String FILE = """
            server: { port: %d }
            stores:
              orders: { type: postgres-journal, url: "%s" }
            destinations:
              rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms, dead-letters: [orders.dlt] }
            relays:
              to-rabbit: { store: orders, destination: rabbit }
            """;
    /** Sentences about what there is not. */
    private static final List<String> NOTHING = List.of(
            "Nobody",
            "nobody",
            "no process runs",
            "No relay",
            "no relay",
            "Nothing is parked",
            "There is no",
            "There are no",
            "never ran",
            "None.",
            "all there are",
            "undefined",
            "NaN");

    private final Browser browser = Browser.shared();

    @TempDir
    private Path directory;

    @Test
    void of_a_store_that_was_never_read_nothing_is_said_to_be_empty_or_fine() throws Exception {
        int port = FreePort.choose();
        try (RunningProcess process = start(port, "jdbc:postgresql://127.0.0.1:1/away")) {
            assertThat(process.relay("to-rabbit")).isPresent();
            check(port);
            assertThat(browser.text()).doesNotContain("last known");
        }
    }

    @Test
    void of_a_store_that_went_down_what_was_read_is_old_and_the_rest_is_unknown() throws Exception {
        int port = FreePort.choose();
        try (PostgresServer server = PostgresServer.start()) {
            String database = server.createDatabase("away");
            try (Connection connection = server.dataSource(database).getConnection()) {
                JournalSchema.create(connection);
            }
            try (RunningProcess process = start(port, server.jdbcUrl(database))) {
                assertThat(process.relay("to-rabbit")).isPresent();
                browser.open(Scene.address(port, "")).shows("No relay is stuck.");
                server.stop();
                check(port);
                browser.shows("values below are the last known ones");
            }
        }
    }

    private RunningProcess start(int port, String url) throws Exception {
        return RunningProcess.start(
                Installation.read(Files.writeString(directory.resolve("waybill.yaml"), FILE.formatted(port, url))));
    }

    /** Ends on the overview. */
    private void check(int port) {
        saysNothingIsKnown(port, "relays/orders/to-rabbit", ": store orders cannot be read.");
        saysNothingIsKnown(port, "failures", ": store orders cannot be read.");
        saysNothingIsKnown(port, "failures?store=orders&relay=to-rabbit", ": store orders cannot be read.");
        saysNothingIsKnown(port, "replays", ": store orders cannot be read.");
        saysNothingIsKnown(port, "audit", ": store orders cannot be read.");
        saysNothingIsKnown(port, "dead-letters", "Not known: destination rabbit cannot be read.");
        saysNothingIsKnown(port, "events", "Store orders: The database failed");
        saysNothingIsKnown(port, "", "store orders cannot be read for");
        browser.shows("1 unknown").shows("not known of orders").shows("After a new password restart this process");
        assertThat(browser.axe()).isEmpty();
    }

    private void saysNothingIsKnown(int port, String page, String words) {
        browser.open(Scene.address(port, page)).shows(words);
        browser.until(
                "everything is loaded",
                "!document.querySelector('.skeleton') && !document.body.innerText.includes('Looking')");
        assertThat(browser.text()).as(page).doesNotContain(NOTHING.toArray(String[]::new));
        assertThat(browser.errors()).as(page).isEmpty();
    }
}
