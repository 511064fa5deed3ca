package dev.waybill.spring.boot.telemetry;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.telemetry.metrics.WaybillMeters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Reads the status of stores, and the dead letters of consumers, in the background for meters. Begins when the context is ready. */
final class WatchStores implements ApplicationListener<ContextRefreshedEvent>, DisposableBean {
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
        stores.all().forEach(store -> watching.add(meters.watch(store.name(), store.admin())));
        Map<String, Set<String>> ofDestination = new TreeMap<>();
        consumers
                .statuses()
                .forEach(consumer -> ofDestination
                        .computeIfAbsent(consumer.destination(), name -> new TreeSet<>())
                        .add(consumer.name()));
        ofDestination.forEach(
                (destination, names) -> watching.add(meters.watchDeadLetters(destination, () -> count(names))));
    }

    private List<DeadLetterCount> count(Set<String> names) {
        return names.stream()
                .flatMap(name -> consumers.deadLetters(name).orElse(List.of()).stream())
                .toList();
    }

    @Override
    public synchronized void destroy() {
        watching.forEach(WaybillMeters.Watching::close);
        watching.clear();
    }
}
