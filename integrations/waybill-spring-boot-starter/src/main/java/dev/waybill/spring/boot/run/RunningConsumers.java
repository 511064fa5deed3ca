package dev.waybill.spring.boot.run;

import dev.waybill.admin.DeadLetterCount;
import dev.waybill.inbox.ConsumerHealth;
import dev.waybill.inbox.ConsumerStatistics;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.spi.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The consumers of the application. They are planned when all beans exist, start with the application's context, and stop after the
 * web server and before the relays. A context that is paused and restarted has new consumers. Safe for use by many threads.
 */
public final class RunningConsumers extends RunWithContext implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(RunningConsumers.class);

    private final Supplier<List<PlannedConsumer>> planning;
    private final Observers observers;
    private final Map<String, PlannedConsumer> planned = new TreeMap<>();
    private final Map<String, Running> running = new TreeMap<>();

    /** A consumer and the connection for its dead letters. */
    private record Running(EventConsumer consumer, Destination deadLetters) {
        void close() {
            try {
                consumer.close();
            } finally {
                deadLetters.close();
            }
        }
    }

    RunningConsumers(Supplier<List<PlannedConsumer>> planning, Observers observers, BooleanSupplier autoStartup) {
        super("consumers", RunningRelays.PHASE + 1024, autoStartup);
        this.planning = planning;
        this.observers = observers;
    }

    /** A consumer of the application as it is now. */
    public record Status(
            String name,
            String store,
            String destination,
            List<String> topics,
            Optional<ConsumerHealth> health,
            Optional<ConsumerStatistics> statistics) {}

    @Override
    public void afterSingletonsInstantiated() {
        planning.get().forEach(consumer -> planned.put(consumer.name(), consumer));
    }

    Collection<PlannedConsumer> planned() {
        return planned.values();
    }

    @Override
    void startAll() {
        planned().stream().filter(PlannedConsumer::autoStartup).forEach(this::start);
    }

    private synchronized void start(PlannedConsumer consumer) {
        try {
            Destination deadLetters = consumer.destination().broker().connect();
            try {
                EventConsumer now = observers.start(
                        consumer.plan(deadLetters), consumer.destination().broker());
                running.put(consumer.name(), new Running(now, deadLetters));
            } catch (Throwable e) {
                deadLetters.close();
                throw e;
            }
            log.info(
                    "Consumer {} runs: {} of {}.",
                    consumer.name(),
                    consumer.reading().topics(),
                    consumer.destination().name());
        } catch (RuntimeException e) {
            log.error("Consumer {} does not run, and its messages wait; others continue.", consumer.name(), e);
            observers.failed(consumer.name());
        }
    }

    @Override
    synchronized List<Runnable> takeAll() {
        List<Runnable> closing =
                running.values().stream().<Runnable>map(one -> one::close).toList();
        running.clear();
        return closing;
    }

    public synchronized List<Status> statuses() {
        List<Status> statuses = new ArrayList<>();
        planned().forEach(consumer -> {
            Optional<EventConsumer> now =
                    Optional.ofNullable(running.get(consumer.name())).map(Running::consumer);
            statuses.add(new Status(
                    consumer.name(),
                    consumer.effects().store(),
                    consumer.destination().name(),
                    consumer.reading().topics(),
                    now.map(EventConsumer::health),
                    now.map(EventConsumer::statistics)));
        });
        return statuses;
    }

    /**
     * Counts the dead letters of a consumer. Asks its broker.
     *
     * @return empty if there is no such consumer
     */
    public Optional<List<DeadLetterCount>> deadLetters(String name) {
        return Optional.ofNullable(planned.get(name)).map(consumer -> count(List.of(consumer)));
    }

    /** The destinations of consumers whose dead letters can be counted all the time, without withholding them from operators. */
    public Set<String> freelyCounted() {
        Set<String> destinations = new TreeSet<>();
        planned().stream()
                .filter(consumer -> consumer.destination().broker().countsFreely())
                .forEach(consumer -> destinations.add(consumer.destination().name()));
        return destinations;
    }

    /** Counts the dead letters of all consumers of a destination, which may share dead-letter topics. Asks its broker. */
    public List<DeadLetterCount> deadLettersAt(String destination) {
        return count(planned().stream()
                .filter(consumer -> consumer.destination().name().equals(destination))
                .toList());
    }

    /** @param consumers of one destination, at least one */
    private static List<DeadLetterCount> count(List<PlannedConsumer> consumers) {
        Set<String> topics = new LinkedHashSet<>();
        consumers.forEach(consumer -> consumer.reading()
                .topics()
                .forEach(topic -> topics.add(consumer.reading().deadLetterTopicOf(topic))));
        try (Broker.OpenDeadLetters open =
                consumers.get(0).destination().broker().openDeadLetters()) {
            return open.box().count(topics, DeadLetterCount.COUNTED);
        }
    }

    /** Consumers that do not run although they should, or that a defect blocks; a description for each. */
    public synchronized Map<String, String> problems() {
        Map<String, String> problems = new TreeMap<>();
        if (!isRunning()) {
            return problems;
        }
        planned().stream().filter(PlannedConsumer::autoStartup).forEach(consumer -> {
            Running now = running.get(consumer.name());
            if (now == null) {
                problems.put(consumer.name(), "does not run");
            } else if (!now.consumer().isHealthy()) {
                problems.put(consumer.name(), now.consumer().health().reason());
            }
        });
        return problems;
    }
}
