package dev.waybill.spring.boot.store;

import dev.waybill.RelayDefaults;
import dev.waybill.WakeSignal;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store. The application appends on its own connections ({@link #outbox}); relays and operators read over connections of their
 * own, which are not taken from the application's pool ({@link #events}, {@link #admin}). Safe for use by many threads.
 */
public final class WaybillStore {
    private final String name;
    private final StoreProperties properties;
    private final OutboxSide outbox;
    private final Supplier<RelaySide> connecting;
    private final WakeSignal wake = WakeSignal.create();
    private @Nullable RelaySide relaySide;

    /**
     * @param connecting called when relays or operators first need the store
     */
    WaybillStore(String name, StoreProperties properties, OutboxSide outbox, Supplier<RelaySide> connecting) {
        this.name = name;
        this.properties = properties;
        this.outbox = outbox;
        this.connecting = connecting;
    }

    public String name() {
        return name;
    }

    public StoreType type() {
        return outbox.type();
    }

    public StoreProperties properties() {
        return properties;
    }

    /** Where the application appends. */
    public OutboxSide outbox() {
        return outbox;
    }

    /**
     * Whether both are one outbox. Relays of each would then publish the events of both. If the data source routes, relays read
     * the database of their own address.
     */
    boolean isSameOutbox(WaybillStore other) {
        boolean sameAddress = Objects.equals(properties.url(), other.properties.url());
        return (sameAddress || !outbox.isRouted()) && outbox.isSame(other.outbox);
    }

    /** Raised after a commit that appended to this store. Relays of the store listen to it. */
    public WakeSignal wake() {
        return wake;
    }

    /** What relays of this store do unless their configuration says otherwise. */
    public RelayDefaults relayDefaults() {
        return outbox.relayDefaults();
    }

    public Optional<Duration> retention() {
        return properties.keptFor();
    }

    public EventStore events() {
        return relaySide().events();
    }

    public StoreAdmin admin() {
        return relaySide().admin();
    }

    /** Empty if the store has no replays. */
    public Optional<ReplayAdmin> replays() {
        return relaySide().replays();
    }

    private synchronized RelaySide relaySide() {
        if (relaySide == null) {
            relaySide = connecting.get();
        }
        return relaySide;
    }

    synchronized void close() {
        if (relaySide != null) {
            relaySide.closing().run();
        }
    }

    @Override
    public String toString() {
        return "WaybillStore[" + name + ", " + type() + "]";
    }

    /**
     * A store as relays and operators use it.
     *
     * @param closing releases its resources; sessions of relays are closed before
     */
    record RelaySide(EventStore events, StoreAdmin admin, Optional<ReplayAdmin> replays, Runnable closing) {}
}
