package dev.waybill.spring.boot.run;

import dev.waybill.format.Format;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.TransactionSize;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spring.boot.store.WaybillStore;
import java.util.Optional;

/**
 * A relay as it is configured.
 *
 * @param destination its name
 * @param autoStartup whether it starts with the application
 */
record PlannedRelay(
        String name,
        WaybillStore store,
        NamedBroker destination,
        Messages messages,
        RelayOptions options,
        boolean autoStartup) {

    record NamedBroker(String name, Broker broker) {}

    /**
     * Where messages go, and what they look like.
     *
     * @param transactions the size of transactions, if they arrive exactly once
     */
    record Messages(Route route, Format format, Optional<TransactionSize> transactions) {}

    /** @param connected a connection for this plan alone */
    RelayPlan plan(Destination connected) {
        RelayPlan plan = Relay.named(name)
                .from(store.events())
                .to(connected)
                .route(messages.route())
                .format(messages.format())
                .options(options)
                .wake(store.wake());
        return messages.transactions().map(plan::exactlyOnce).orElse(plan);
    }
}
