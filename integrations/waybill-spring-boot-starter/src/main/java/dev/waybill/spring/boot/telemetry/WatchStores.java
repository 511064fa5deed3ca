package dev.waybill.spring.boot.telemetry;

import dev.waybill.admin.StoreAdmin;
import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.store.WaybillStore;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.telemetry.metrics.WaybillMeters;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Reads the status of stores, and the dead letters of consumers, in the background for meters. Begins when the context is ready. */
final class WatchStores implements ApplicationListener<ContextRefreshedEvent>, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(WatchStores.class);

    private final WaybillMeters meters;
    private final WaybillStores stores;
    private final RunningConsumers consumers;
    private final List<WaybillMeters.Watching> watching = new ArrayList<>();

    WatchStores(WaybillMeters meters, WaybillStores stores, RunningConsumers consumers) {
        this.meters = meters;
        this.stores = stores;
        this.consumers = consumers;
    }

    @Override
    public synchronized void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (!watching.isEmpty()) {
            return;
        }
        stores.all().forEach(this::watch);
        consumers
                .freelyCounted()
                .forEach(destination ->
                        watching.add(meters.watchDeadLetters(destination, () -> consumers.deadLettersAt(destination))));
    }

    /** A store that relays cannot read still takes events. */
    private void watch(WaybillStore store) {
        StoreAdmin admin;
        try {
            admin = store.admin();
        } catch (RuntimeException e) {
            log.warn("Store {} has no meters. {}", store.name(), e.getMessage());
            return;
        }
        watching.add(meters.watch(store.name(), admin));
    }

    @Override
    public synchronized void destroy() {
        watching.forEach(WaybillMeters.Watching::close);
        watching.clear();
    }
}
