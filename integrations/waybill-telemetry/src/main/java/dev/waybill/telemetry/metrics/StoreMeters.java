package dev.waybill.telemetry.metrics;

import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The meters of one store and of all relays that read it, whichever process runs them. */
final class StoreMeters implements WaybillMeters.Watching {
    /** Relays of one store that have meters; the others, in the order of the store, have none. */
    static final int MOST_RELAYS = 100;

    private final String store;
    private final Registering registering;
    private final Refreshed<Map<String, RelayStatus>> status;
    private final Registering.Owned up;
    /** Used by the reading thread, and by close. */
    private final Map<String, List<Registering.Owned>> relays = new HashMap<>();

    private boolean closed;

    StoreMeters(String store, StoreAdmin admin, Registering registering, Refresh refresh) {
        this.store = store;
        this.registering = registering;
        this.status = new Refreshed<>(
                "store " + store,
                () -> byName(admin.relays()),
                this::register,
                refresh,
                registering.registry().config().clock());
        this.up =
                registering.gauge(WaybillMeter.STORE_UP, () -> status.current().isPresent() ? 1 : 0, store);
        status.start();
    }

    private static Map<String, RelayStatus> byName(List<RelayStatus> relays) {
        Map<String, RelayStatus> byName = new LinkedHashMap<>();
        relays.stream().limit(MOST_RELAYS).forEach(relay -> byName.put(relay.name(), relay));
        return byName;
    }

    /** Relays come and go while the process runs. */
    private synchronized void register(Map<String, RelayStatus> read) {
        if (closed) {
            return;
        }
        relays.keySet().removeIf(name -> {
            boolean gone = !read.containsKey(name);
            if (gone) {
                relays.getOrDefault(name, List.of()).forEach(registering::remove);
            }
            return gone;
        });
        read.keySet().forEach(name -> relays.computeIfAbsent(name, this::gauges));
    }

    private List<Registering.Owned> gauges(String relay) {
        return List.of(
                gauge(WaybillMeter.STORE_BACKLOG, relay, RelayStatus::backlog),
                gauge(WaybillMeter.STORE_OLDEST_AGE, relay, StoreMeters::oldestAge),
                gauge(WaybillMeter.STORE_PARKED, relay, RelayStatus::parked),
                gauge(WaybillMeter.STORE_DEAD, relay, RelayStatus::dead),
                gauge(WaybillMeter.STORE_PAUSED, relay, status -> status.paused() ? 1 : 0),
                gauge(
                        WaybillMeter.STORE_LEASE_HELD,
                        relay,
                        status -> status.lease().isPresent() ? 1 : 0),
                gauge(
                        WaybillMeter.STORE_LEASE_EPOCH,
                        relay,
                        status -> status.lease()
                                .map(lease -> (double) lease.epoch())
                                .orElse(Double.NaN)));
    }

    /** Unknown if the events that wait have no creation time. */
    private static double oldestAge(RelayStatus status) {
        boolean nothingWaits = status.backlog() == 0 && status.parked() == 0;
        return status.oldest().map(RelayMeters::seconds).orElse(nothingWaits ? 0 : Double.NaN);
    }

    private Registering.Owned gauge(WaybillMeter meter, String relay, ToDoubleFunction<RelayStatus> value) {
        return registering.gauge(
                meter,
                () -> status.current()
                        .map(relays -> relays.get(relay))
                        .map(value::applyAsDouble)
                        .orElse(Double.NaN),
                store,
                relay);
    }

    @Override
    public void close() {
        status.close();
        synchronized (this) {
            closed = true;
            registering.remove(up);
            relays.values().forEach(meters -> meters.forEach(registering::remove));
            relays.clear();
        }
    }
}
