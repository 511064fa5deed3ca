package dev.waybill.relay;

import dev.waybill.RelayName;
import dev.waybill.WakeSignal;
import dev.waybill.format.Format;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.WindowStore;
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
            Optional<InGroup> group,
            List<RelayListener> listeners,
            Optional<TransactionSize> transactions) {

        How(Route route, Format format, RelayOptions options) {
            this(route, format, options, Optional.empty(), Optional.empty(), List.of(), Optional.empty());
        }

        How route(Route other) {
            return new How(other, format, options, wake, group, listeners, transactions);
        }

        How format(Format other) {
            return new How(route, other, options, wake, group, listeners, transactions);
        }

        How options(RelayOptions other) {
            return new How(route, format, other, wake, group, listeners, transactions);
        }

        How wake(Optional<WakeSignal> other) {
            return new How(route, format, options, other, group, listeners, transactions);
        }

        How group(Optional<InGroup> other) {
            return new How(route, format, options, wake, other, listeners, transactions);
        }

        How listeners(List<RelayListener> other) {
            return new How(route, format, options, wake, group, other, transactions);
        }

        How transactions(Optional<TransactionSize> other) {
            return new How(route, format, options, wake, group, listeners, other);
        }
    }

    /** @param destination its name in the group */
    record InGroup(RelayGroup group, String destination) {}

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
            How defaults = new How(Route.byType(), Format.raw(), RelayOptions.defaults());
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
        return with(how.wake(Optional.of(signal)));
    }

    public Optional<RelayGroup> group() {
        return how.group.map(InGroup::group);
    }

    Optional<InGroup> inGroup() {
        return how.group;
    }

    /** Shares the relay with other processes. If all relays of the group fail in this one, it gives them to others. */
    public RelayPlan group(RelayGroup group) {
        return group(group, "");
    }

    /**
     * Shares the relay with other processes. If all relays of the group with this destination fail in this one, it gives them to
     * others.
     *
     * @param destination a name, which is the same for relays whose destinations are at the same brokers
     */
    public RelayPlan group(RelayGroup group, String destination) {
        return with(how.group(Optional.of(new InGroup(group, destination))));
    }

    public List<RelayListener> listeners() {
        return how.listeners;
    }

    /** The size of transactions, if the relay delivers exactly once. */
    public Optional<TransactionSize> transactions() {
        return how.transactions;
    }

    /** {@link #exactlyOnce(TransactionSize)} with the defaults of {@link TransactionSize}. */
    public RelayPlan exactlyOnce() {
        return exactlyOnce(TransactionSize.defaults());
    }

    /**
     * Delivers exactly once, for consumers that read committed messages only: the position is committed together with the
     * messages, by the destination. Nothing is parked; see the documentation of guarantees for what that means.
     *
     * @throws IllegalArgumentException if the store or the destination cannot do this, or outages count as attempts
     */
    public RelayPlan exactlyOnce(TransactionSize size) {
        RelayPlan plan = with(how.transactions(Optional.of(size)));
        plan.requireExactlyOnce();
        return plan;
    }

    private void requireExactlyOnce() {
        if (!(store instanceof WindowStore)) {
            throw refusal("its store (" + store.getClass().getSimpleName()
                    + ") cannot save windows of events: use a journal on PostgreSQL");
        }
        if (!(destination instanceof TransactionalDestination)) {
            throw refusal(
                    "its destination (" + destination.getClass().getSimpleName() + ") has no transactions: use Kafka");
        }
        if (how.options.countOutages()) {
            throw refusal("outages cannot count as attempts, because nothing is parked: do not set countOutages");
        }
    }

    private IllegalArgumentException refusal(String why) {
        return new IllegalArgumentException("Relay " + name + " cannot deliver exactly once: " + why + ".");
    }

    WindowStore windowStore() {
        return (WindowStore) store;
    }

    TransactionalDestination transactionalDestination() {
        return (TransactionalDestination) destination;
    }

    /** Adds a listener; those that were added before are called first. */
    public RelayPlan listener(RelayListener listener) {
        List<RelayListener> all =
                Stream.concat(how.listeners.stream(), Stream.of(listener)).toList();
        return with(how.listeners(all));
    }

    /**
     * Starts the relay on its own thread, and deletes events that are older than {@link RelayOptions#retention()}, if it is
     * set.
     *
     * @throws IllegalStateException when the destination is in use by another relay, a replay or a consumer
     */
    public Relay start() {
        if (how.transactions.isPresent()) {
            requireExactlyOnce();
        }
        return Relay.start(this, System::nanoTime);
    }

    /** The plan of a replay: its name and store, no retention, no group, and at least once. */
    RelayPlan replay(RelayName replay, EventStore of) {
        RelayOptions options = how.options.withoutRetention();
        return new RelayPlan(
                replay,
                of,
                destination,
                how.options(options)
                        .wake(Optional.empty())
                        .group(Optional.empty())
                        .transactions(Optional.empty()));
    }

    private RelayPlan with(How other) {
        return new RelayPlan(name, store, destination, other);
    }

    @Override
    public String toString() {
        return "RelayPlan[" + name + " from " + store + " to " + destination + "]";
    }
}
