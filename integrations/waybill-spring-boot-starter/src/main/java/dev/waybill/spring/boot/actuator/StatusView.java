package dev.waybill.spring.boot.actuator;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.inbox.ConsumerStatistics;
import dev.waybill.relay.RelayStatistics;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.StoreException;
import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.spring.boot.store.WaybillStore;
import dev.waybill.spring.boot.store.WaybillStores;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The status of relays, consumers and events, as the endpoint shows it. */
final class StatusView {
    private static final int PAGE = 100;

    private final WaybillStores stores;
    private final RunningRelays relays;
    private final RunningConsumers consumers;
    private final boolean showPayloads;

    StatusView(WaybillStores stores, RunningRelays relays, RunningConsumers consumers, boolean showPayloads) {
        this.stores = stores;
        this.relays = relays;
        this.consumers = consumers;
        this.showPayloads = showPayloads;
    }

    Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        Map<String, Object> ofRelays = new LinkedHashMap<>();
        Map<WaybillStore, InStore> inStores = new LinkedHashMap<>();
        for (RunningRelays.Status relay : relays.statuses()) {
            Map<String, Object> one = here(relay);
            one.putAll(inStores.computeIfAbsent(relay.store(), InStore::of).of(relay.name()));
            ofRelays.put(relay.name(), one);
        }
        all.put("relays", ofRelays);
        Map<String, Object> ofConsumers = new LinkedHashMap<>();
        consumers.statuses().forEach(consumer -> ofConsumers.put(consumer.name(), here(consumer)));
        all.put("consumers", ofConsumers);
        return all;
    }

    /**
     * What a store tells of its relays, asked once for all of them.
     *
     * @param error why it cannot be read: then nothing is known of any relay
     */
    private record InStore(Map<String, RelayStatus> relays, Optional<String> error) {
        static InStore of(WaybillStore store) {
            try {
                Map<String, RelayStatus> byName = new TreeMap<>();
                store.admin().relays().forEach(status -> byName.put(status.name(), status));
                return new InStore(byName, Optional.empty());
            } catch (StoreException e) {
                return new InStore(Map.of(), Optional.of(cannotBeRead(store, e)));
            }
        }

        Map<String, Object> of(String relay) {
            if (error.isPresent()) {
                return Map.of("error", error.get());
            }
            RelayStatus status = relays.get(relay);
            return status == null ? Map.of() : inStore(status);
        }
    }

    private static String cannotBeRead(WaybillStore store, StoreException e) {
        return "The store " + store.name() + " cannot be read, so what it has is unknown: " + e.getMessage();
    }

    private static Map<String, Object> here(RunningRelays.Status relay) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", relay.store().name());
        one.put("destination", relay.destination());
        one.put(
                "state",
                relay.statistics()
                        .map(RelayStatistics::state)
                        .map(state -> words(state.phase()))
                        .orElse("not started"));
        relay.statistics()
                .flatMap(statistics -> statistics.state().problem())
                .ifPresent(problem -> one.put("problem", problem));
        relay.failingFor().ifPresent(time -> one.put("failingSeconds", time.toSeconds()));
        relay.statistics().ifPresent(statistics -> one.put("publishedHere", statistics.published()));
        return one;
    }

    private static Map<String, Object> inStore(RelayStatus status) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("paused", status.paused());
        status.lease().ifPresent(lease -> one.put("runBy", lease.owner()));
        one.put("backlog", status.backlog());
        one.put("backlogExact", status.backlogExact());
        status.oldest().map(Duration::toSeconds).ifPresent(age -> one.put("oldestSeconds", age));
        one.put("parked", status.parked());
        one.put("dead", status.dead());
        return one;
    }

    private static Map<String, Object> here(RunningConsumers.Status consumer) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", consumer.store());
        one.put("destination", consumer.destination());
        one.put("topics", consumer.topics());
        one.put("state", consumer.health().map(health -> words(health.state())).orElse("not started"));
        consumer.health()
                .filter(health -> !health.reason().isBlank())
                .ifPresent(health -> one.put("problem", health.reason()));
        consumer.statistics().ifPresent(statistics -> putCounts(one, statistics));
        return one;
    }

    private static void putCounts(Map<String, Object> one, ConsumerStatistics statistics) {
        one.put("handledHere", statistics.handled());
        one.put("duplicatesHere", statistics.duplicates());
        one.put("failuresHere", statistics.failures());
        one.put("deadHere", statistics.dead());
    }

    private static String words(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    Optional<Map<String, Object>> relay(String name, @Nullable String after) {
        Optional<RunningRelays.Status> relay = relays.statuses().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
        if (relay.isEmpty()) {
            return Optional.empty();
        }
        WaybillStore store = relay.get().store();
        Map<String, Object> one = here(relay.get());
        try {
            one.putAll(InStore.of(store).of(name));
            if (!one.containsKey("error")) {
                putEvents(one, store, name, after);
            }
        } catch (StoreException e) {
            one.put("error", cannotBeRead(store, e));
        }
        return Optional.of(one);
    }

    private static void putEvents(Map<String, Object> one, WaybillStore store, String name, @Nullable String after) {
        ParkedQuery query = ParkedQuery.of(new RelayName(name)).atMost(PAGE);
        List<ParkedEvent> parked = store.admin().parked(after == null ? query : query.after(after));
        one.put("events", parked.stream().map(StatusView::parked).toList());
        if (parked.size() == PAGE) {
            one.put("next", parked.get(PAGE - 1).cursor());
        }
        store.replays()
                .ifPresent(replays -> one.put(
                        "replays",
                        replays.replays().stream().map(StatusView::replay).toList()));
    }

    private static Map<String, Object> parked(ParkedEvent event) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("id", event.eventId());
        one.put("type", event.type());
        one.put("state", words(event.state()));
        one.put("attempts", event.attempts());
        event.error().ifPresent(error -> one.put("error", error));
        event.nextAttemptAt().ifPresent(time -> one.put("nextAttemptAt", time.toString()));
        event.failedAt().ifPresent(time -> one.put("failedAt", time.toString()));
        return one;
    }

    static Map<String, Object> replay(ReplayStatus status) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("replay", status.name());
        one.put("state", words(status.state()));
        one.put("by", status.by().who());
        one.put("startedAt", status.startedAt().toString());
        one.put("sent", status.counts().sent());
        one.put("notSent", status.counts().notSent().events());
        one.put("parked", status.counts().parked());
        one.put("dead", status.counts().dead());
        return one;
    }

    Optional<Map<String, Object>> consumer(String name) {
        Optional<RunningConsumers.Status> consumer = consumers.statuses().stream()
                .filter(each -> each.name().equals(name))
                .findFirst();
        if (consumer.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> one = here(consumer.get());
        try {
            long dead = 0;
            boolean exact = true;
            for (DeadLetterCount count : consumers.deadLetters(name).orElse(List.of())) {
                dead += count.byConsumer().isEmpty()
                        ? count.letters()
                        : count.byConsumer().getOrDefault(name, 0L);
                exact &= count.exact();
            }
            one.put("deadLetters", dead);
            one.put("deadLettersExact", exact);
        } catch (SourceException e) {
            one.put("error", String.valueOf(e.getMessage()));
        }
        return Optional.of(one);
    }

    /**
     * The first store that has an event of this id.
     *
     * @throws StoreException if no store that can be read has it, and one cannot be read
     */
    Optional<Map<String, Object>> event(String id, Actor by) {
        List<String> unknown = new ArrayList<>();
        for (WaybillStore store : stores.all()) {
            try {
                Optional<Map<String, Object>> found = event(store, id, by);
                if (found.isPresent()) {
                    return found;
                }
            } catch (StoreException e) {
                unknown.add(cannotBeRead(store, e));
            }
        }
        if (!unknown.isEmpty()) {
            throw new StoreException(String.join(" ", unknown));
        }
        return Optional.empty();
    }

    private Optional<Map<String, Object>> event(WaybillStore store, String id, Actor by) {
        Optional<EventHistory> history = store.admin().show(id);
        Optional<Map<String, Object>> found = history.map(known -> event(store, known));
        if (showPayloads) {
            found.ifPresent(
                    one -> store.admin().payload(id, by).ifPresent(payload -> one.put("payload", text(payload))));
        }
        return found;
    }

    private static Map<String, Object> event(WaybillStore store, EventHistory history) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("id", history.id());
        one.put("store", store.name());
        one.put("type", history.type());
        one.put("aggregateType", history.aggregateType());
        one.put("createdAt", history.createdAt().toString());
        one.put("payloadBytes", history.payloadBytes());
        Map<String, Object> states = new LinkedHashMap<>();
        history.relays().forEach(entry -> states.put(entry.relay(), words(entry.state())));
        one.put("relays", states);
        return one;
    }

    private static String text(Payload payload) {
        return payload instanceof Payload.Json
                ? new String(payload.bytes(), StandardCharsets.UTF_8)
                : Base64.getEncoder().encodeToString(payload.bytes());
    }
}
