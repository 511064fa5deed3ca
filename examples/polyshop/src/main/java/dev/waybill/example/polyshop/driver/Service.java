package dev.waybill.example.polyshop.driver;

import dev.waybill.example.polyshop.analytics.AnalyticsService;
import dev.waybill.example.polyshop.auth.AuthService;
import dev.waybill.example.polyshop.common.EventTypes;
import dev.waybill.example.polyshop.gateway.Gateway;
import dev.waybill.example.polyshop.inventory.InventoryService;
import dev.waybill.example.polyshop.order.OrderService;
import dev.waybill.example.polyshop.product.ProductService;
import dev.waybill.example.polyshop.search.SearchService;
import java.util.Arrays;
import java.util.List;

/** The services, with their part of the document's table of responsibilities (its section 10). */
enum Service {
    GATEWAY("gateway"),
    AUTH("auth-service"),
    PRODUCT("product-service"),
    ORDER("order-service"),
    INVENTORY("inventory-service"),
    PAYMENT("payment-service"),
    NOTIFICATION("notification-service"),
    SEARCH("search-service"),
    ANALYTICS("analytics-service");

    /** Its name in envelopes, and that of its consumer. */
    final String label;

    Service(String label) {
        this.label = label;
    }

    /** The main class of a service in Java. */
    Class<?> main() {
        return switch (this) {
            case GATEWAY -> Gateway.class;
            case AUTH -> AuthService.class;
            case PRODUCT -> ProductService.class;
            case ORDER -> OrderService.class;
            case INVENTORY -> InventoryService.class;
            case SEARCH -> SearchService.class;
            case ANALYTICS -> AnalyticsService.class;
            case PAYMENT, NOTIFICATION -> throw new IllegalStateException(label + " is not written in Java.");
        };
    }

    /** The types of events it produces, which are names of topics too. */
    List<String> produces() {
        return switch (this) {
            case AUTH -> List.of("auth.user.registered.v1");
            case PRODUCT -> List.of("product.product.created.v1", "product.product.price-changed.v1");
            case ORDER -> List.of("order.order.placed.v1", "order.order.confirmed.v1", "order.order.cancelled.v1");
            case INVENTORY -> List.of("inventory.stock.reserved.v1", "inventory.stock.rejected.v1");
            case PAYMENT -> List.of("payment.payment.succeeded.v1", "payment.payment.failed.v1");
            case NOTIFICATION -> List.of("notification.email.sent.v1");
            case GATEWAY, SEARCH, ANALYTICS -> List.of();
        };
    }

    /** The types of events it consumes. */
    List<String> consumes() {
        return switch (this) {
            case ORDER ->
                List.of(
                        "inventory.stock.reserved.v1",
                        "inventory.stock.rejected.v1",
                        "payment.payment.succeeded.v1",
                        "payment.payment.failed.v1");
            case INVENTORY -> List.of("order.order.placed.v1", "order.order.cancelled.v1");
            case PAYMENT -> List.of("inventory.stock.reserved.v1");
            case NOTIFICATION -> List.of("order.order.placed.v1", "payment.payment.succeeded.v1");
            case SEARCH -> List.of("product.product.created.v1", "product.product.price-changed.v1");
            case ANALYTICS -> EventTypes.all();
            case GATEWAY, AUTH, PRODUCT -> List.of();
        };
    }

    boolean hasDatabase() {
        return this != GATEWAY;
    }

    /** Those with events; the gateway has none. */
    static List<Service> withDatabases() {
        return Arrays.stream(values()).filter(Service::hasDatabase).toList();
    }

    boolean hasOutbox() {
        return !produces().isEmpty();
    }

    /** As the document has it: "Yes (if needed)" is a table that stays empty. */
    String responsibilities() {
        return words(hasOutbox(), hasOutbox(), !consumes().isEmpty(), hasDatabase());
    }

    static String words(boolean produces, boolean outbox, boolean consumes, boolean processedEvents) {
        return String.join(
                " ",
                produces ? "produces" : "-",
                outbox ? "outbox" : "-",
                consumes ? "consumes" : "-",
                processedEvents ? "processed_events" : "-");
    }
}
