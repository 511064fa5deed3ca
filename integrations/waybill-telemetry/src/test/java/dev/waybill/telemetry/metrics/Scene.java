package dev.waybill.telemetry.metrics;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RetryPolicy;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTopic;
import dev.waybill.tck.memory.InMemoryTransaction;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Relays, stores and consumers in memory with meters in a registry of Prometheus. */
final class Scene implements AutoCloseable {
    static final Refresh OFTEN = new Refresh(Duration.ofMillis(5), Duration.ofSeconds(30));

    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final WaybillMeters meters = WaybillMeters.in(registry);
    final InMemoryOutbox outbox = new InMemoryOutbox();
    final InMemoryDestination broker = new InMemoryDestination();
    final InMemoryTopic topic = new InMemoryTopic("orders");
    final InMemoryInbox inbox = new InMemoryInbox();
    private final InMemoryDestination letters = new InMemoryDestination();
    private final Deque<Runnable> open = new ArrayDeque<>();

    Exposition scrape() {
        return Exposition.parse(registry.scrape());
    }

    /** Waits for a value, and shows the whole registry if it does not come. */
    void until(double value, String name, String... labels) {
        Await.until(
                () -> name + " of " + List.of(labels) + " is " + value + " in\n" + registry.scrape(),
                () -> has(value, name, labels));
    }

    private boolean has(double value, String name, String... labels) {
        Exposition now = scrape();
        return now.names().contains(name)
                && now.samples().stream()
                        .anyMatch(sample -> sample.name().equals(name)
                                && Double.compare(sample.value(), value) == 0
                                && isLabelled(sample.labels(), labels));
    }

    private static boolean isLabelled(Map<String, String> labels, String... wanted) {
        for (int i = 0; i < wanted.length; i += 2) {
            if (!wanted[i + 1].equals(labels.get(wanted[i]))) {
                return false;
            }
        }
        return true;
    }

    void append(String... ids) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            for (String id : ids) {
                outbox.append(
                        transaction,
                        Event.of("order.placed")
                                .aggregate("Order", id)
                                .payload(Payload.json("{}"))
                                .id(id));
            }
            transaction.commit();
        }
    }

    void appendTo(String aggregate, String id) {
        try (InMemoryTransaction transaction = outbox.begin()) {
            outbox.append(
                    transaction,
                    Event.of("order.placed")
                            .aggregate("Order", aggregate)
                            .payload(Payload.json("{}"))
                            .id(id));
            transaction.commit();
        }
    }

    RelayPlan plan(String name) {
        return Relay.named(name)
                .from(outbox.store())
                .to(broker)
                .options(RelayOptions.defaults()
                        .retry(new RetryPolicy(1, Duration.ofMillis(1), 1, Duration.ofMillis(1))));
    }

    Relay relay(String name) {
        Relay relay = meters.start(plan(name));
        open.push(relay::close);
        return relay;
    }

    EventConsumer consumer(String name, EventHandler<InMemoryInbox.Transaction> handler) {
        EventConsumer consumer = meters.start(EventConsumer.named(name, inbox, inbox)
                .from(topic, MessageReader.raw())
                .on("placed", handler)
                .deadLettersTo(letters)
                .options(ConsumerOptions.defaults()
                        .retry(new RetryPolicy(1, Duration.ofMillis(1), 1, Duration.ofMillis(1)))));
        open.push(consumer::close);
        return consumer;
    }

    WaybillMeters.Watching store(String name) {
        return watch(name, outbox.admin(), OFTEN);
    }

    WaybillMeters.Watching watch(String name, StoreAdmin admin, Refresh refresh) {
        return start(meters.watch(name, admin, refresh));
    }

    WaybillMeters.Watching deadLetters(String destination, Supplier<List<DeadLetterCount>> counting) {
        return start(meters.watchDeadLetters(destination, counting, OFTEN));
    }

    void send(String id, String type) {
        topic.send("k" + id, "{}", header("event-id", id), header("event-type", type));
    }

    private static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private WaybillMeters.Watching start(WaybillMeters.Watching started) {
        open.push(started::close);
        return started;
    }

    @Override
    public void close() {
        broker.releaseAll();
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
