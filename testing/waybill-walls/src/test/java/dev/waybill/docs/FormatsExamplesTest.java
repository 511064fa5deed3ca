package dev.waybill.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Outbox;
import dev.waybill.Payload;
import dev.waybill.format.Format;
import dev.waybill.format.HeaderStyle;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jsonschema.JsonSchemaCheck;
import dev.waybill.jsonschema.RegistryFile;
import dev.waybill.registry.EventDefinition;
import dev.waybill.registry.EventRegistry;
import dev.waybill.registry.PayloadCheck;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.EventStore;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java of the page on formats and routes, run; its JSON, read. */
class FormatsExamplesTest {
    private static final String SCHEMA_NAME = "license_status_changed.schema.json";

    private final InMemoryOutbox memory = new InMemoryOutbox();
    private final Page page = Repository.here().page("docs/formats-and-routes.md");

    @TempDir
    Path directory;

    record OrderPlaced(String orderId, int total) {}

    @Test
    void a_relay_is_given_a_format_and_a_route() {
        EventStore store = memory.store();
        InMemoryDestination pubsub = new InMemoryDestination();
        InMemoryDestination rabbit = new InMemoryDestination();
        // snippet: formats
        RelayPlan licenses = RelayPlan.named("licenses")
                .from(store)
                .to(pubsub)
                .route(Route.fixed("pf-domain-events"))
                .format(Format.raw(HeaderStyle.ATTRIBUTES));
        RelayPlan notifications = RelayPlan.named("notifications")
                .from(store)
                .to(rabbit)
                .route(Route.byAggregateType(Map.of(
                        "RESTAURANT", "notification.restaurant",
                        "CUSTOMER", "notification.customer",
                        "AGENCY", "notification.agency",
                        "ADMIN", "notification.admin")))
                .format(Format.notification());
        // end
        assertThat(List.of(licenses.format().toString(), notifications.format().toString()))
                .containsExactly("raw", "notification");
    }

    @Test
    void a_registry_is_made_in_java_and_checks_what_is_appended() {
        String schema = page.blocks("json").get(1);
        // snippet: registry
        EventRegistry registry = EventRegistry.of(
                new EventDefinition(
                        "license_status_changed", "pf-domain-events", "license", JsonSchemaCheck.of(schema)),
                new EventDefinition("order_placed", "orders", "order", PayloadCheck.javaType(OrderPlaced.class)));

        Outbox<Connection> outbox = registry.checking(JdbcOutbox.journal()); // in the application
        Route route = registry.route(); // in the relay
        // end
        assertThat(outbox).isNotNull();
        assertThat(route).hasToString("by registry");
        Outbox<InMemoryTransaction> checked = registry.checking(memory);
        try (InMemoryTransaction transaction = memory.begin()) {
            checked.append(transaction, changed("{\"licenseId\": \"l-1\", \"storeId\": 7, \"status\": \"pending\"}"));
            assertThatThrownBy(() ->
                            checked.append(transaction, changed("{\"licenseId\": \"l-1\", \"status\": \"open\"}")))
                    .isInstanceOf(InvalidEventException.class)
                    .hasMessageContaining("/storeId is missing")
                    .hasMessageContaining("/status is not one of");
            transaction.commit();
        }
        assertThat(memory.committed()).hasSize(1);
    }

    @Test
    void a_registry_is_read_from_a_file() throws IOException {
        Files.writeString(directory.resolve(SCHEMA_NAME), page.blocks("json").get(1));
        Path file = directory.resolve("events.json");
        Files.writeString(
                file, page.blocks("json").get(0).replace("com.example.OrderPlaced", OrderPlaced.class.getName()));
        // snippet: registry-file
        EventRegistry registry = RegistryFile.read(file);
        // end
        assertThat(registry.types()).containsExactly("license_status_changed", "order_placed");
    }

    private static Event changed(String json) {
        return Event.of("license_status_changed").aggregate("license", "l-1").payload(Payload.json(json));
    }
}
