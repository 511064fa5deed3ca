package dev.waybill.spring.boot.store;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Every store of the application, by its name. */
public final class WaybillStores implements AutoCloseable {
    private final Map<String, WaybillStore> stores;

    public WaybillStores(Map<String, WaybillStore> stores) {
        this.stores = new TreeMap<>(stores);
    }

    /** In the order of their names. */
    public Collection<WaybillStore> all() {
        return stores.values();
    }

    public Optional<WaybillStore> find(String name) {
        return Optional.ofNullable(stores.get(name));
    }

    /** @throws IllegalArgumentException if there is no store of this name */
    public WaybillStore get(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("There is no store " + name
                        + ": configure it under waybill.stores." + name + ", or use one of " + stores.keySet() + "."));
    }

    /** Closes what the relays' side of the stores opened. */
    @Override
    public void close() {
        stores.values().forEach(WaybillStore::close);
    }
}
