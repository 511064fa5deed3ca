package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.WakeSignal;
import dev.waybill.format.Format;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Store, destination and settings of a relay. Immutable: every setter returns a copy. {@link Relay#named} creates one. */
public final class RelayPlan {
    private final RelayName name;
    private final EventStore store;
    private final Destination destination;
    private final How how;

    private record How(
            Route route,
            Format format,
            RelayOptions options,
            Optional<WakeSignal> wake,
            Optional<RelayGroup> group,
            List<RelayListener> listeners) {
        How route(Route other) {
            return new How(other, format, options, wake, group, listeners);
        }

        How format(Format other) {
            return new How(route, other, options, wake, group, listeners);
        }

        How options(RelayOptions other) {
            return new How(route, format, other, wake, group, listeners);
        }
    }

    private RelayPlan(RelayName name, EventStore store, Destination destination, How how) {
        this.name = name;
        this.store = store;
        this.destination = destination;
        this.how = how;
    }

    /** A plan that has a name. */
    public static final class Named {
        private final RelayName name;

        Named(RelayName name) {
            this.name = name;
        }

        public From from(EventStore store) {
            return new From(name, store);
        }
    }

    /** A plan that has a store. */
    public static final class From {
        private final RelayName name;
        private final EventStore store;

        private From(RelayName name, EventStore store) {
            this.name = name;
            this.store = store;
        }

        /**
         * With the topic named by the event's type, the payload as it is, and the defaults of {@link RelayOptions}.
         *
         * @param destination used by this relay alone; stays the caller's to close
         */
        public RelayPlan to(Destination destination) {
            How defaults = new How(
                    Route.byType(),
                    Format.raw(),
                    RelayOptions.defaults(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
            return new RelayPlan(name, store, destination, defaults);
        }
    }

    /** The same in every process that may run this relay. */
    public RelayName name() {
        return name;
    }

    public EventStore store() {
        return store;
    }

    public Destination destination() {
        return destination;
    }

    public RelayPlan destination(Destination other) {
        return new RelayPlan(name, store, other, how);
    }

    public Route route() {
        return how.route;
    }

    public RelayPlan route(Route route) {
        return with(how.route(route));
    }

    public Format format() {
        return how.format;
    }

    public RelayPlan format(Format format) {
        return with(how.format(format));
    }

    public RelayOptions options() {
        return how.options;
    }

    public RelayPlan options(RelayOptions options) {
        return with(how.options(options));
    }

    public Optional<WakeSignal> wake() {
        return how.wake;
    }

    /** Polls at once when an outbox with the same signal has appended. */
    public RelayPlan wake(WakeSignal signal) {
        return with(new How(how.route, how.format, how.options, Optional.of(signal), how.group, how.listeners));
    }

    public Optional<RelayGroup> group() {
        return how.group;
    }

    /** Shares the relay with other processes. */
    public RelayPlan group(RelayGroup group) {
        return with(new How(how.route, how.format, how.options, how.wake, Optional.of(group), how.listeners));
    }

    public List<RelayListener> listeners() {
        return how.listeners;
    }

    /** Adds a listener; those that were added before are called first. */
    public RelayPlan listener(RelayListener listener) {
        List<RelayListener> all =
                Stream.concat(how.listeners.stream(), Stream.of(listener)).toList();
        return with(new How(how.route, how.format, how.options, how.wake, how.group, all));
    }

    /**
     * Starts the relay on its own thread, and deletes events that are older than {@link RelayOptions#retention()}, if it is
     * set.
     *
     * @throws IllegalStateException when the destination is in use by another relay, a replay or a consumer
     */
    public Relay start() {
        return Relay.start(this, System::nanoTime);
    }

    /** The plan of a replay: its name and store, no retention and no group. */
    RelayPlan replay(RelayName replay, EventStore of) {
        RelayOptions options = how.options.withoutRetention();
        return new RelayPlan(
                replay,
                of,
                destination,
                new How(how.route, how.format, options, Optional.empty(), Optional.empty(), how.listeners));
    }

    private RelayPlan with(How other) {
        return new RelayPlan(name, store, destination, other);
    }

    @Override
    public String toString() {
        return "RelayPlan[" + name + " from " + store + " to " + destination + "]";
    }
}
