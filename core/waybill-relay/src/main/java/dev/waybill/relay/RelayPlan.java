package dev.waybill.relay;

import dev.waybill.format.Format;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.RelayName;

/**
 * From where, to where, and how.
 *
 * @param name the same in every process that may run this relay
 */
public record RelayPlan(
        RelayName name, EventStore store, Destination destination, Route route, Format format, RelayOptions options) {

    /** Begins a plan: {@code RelayPlan.named("orders").from(journal).to(kafka)}. */
    public static Start named(String name) {
        return new Start(new RelayName(name));
    }

    /** A plan that has a name. */
    public record Start(RelayName name) {
        public From from(EventStore store) {
            return new From(name, store);
        }
    }

    /** A plan that has a store. */
    public record From(RelayName name, EventStore store) {
        /**
         * With the topic named by the event's type, the payload as it is, and the defaults of {@link RelayOptions}.
         *
         * @param destination used by this relay alone; stays the caller's to close
         */
        public RelayPlan to(Destination destination) {
            return new RelayPlan(name, store, destination, Route.byType(), Format.raw(), RelayOptions.defaults());
        }
    }

    public RelayPlan route(Route newRoute) {
        return new RelayPlan(name, store, destination, newRoute, format, options);
    }

    public RelayPlan format(Format newFormat) {
        return new RelayPlan(name, store, destination, route, newFormat, options);
    }

    public RelayPlan options(RelayOptions newOptions) {
        return new RelayPlan(name, store, destination, route, format, newOptions);
    }
}
