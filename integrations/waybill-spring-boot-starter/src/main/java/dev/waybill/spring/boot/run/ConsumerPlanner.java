package dev.waybill.spring.boot.run;

import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.spring.boot.properties.ConsumerProperties;
import dev.waybill.spring.boot.run.PlannedConsumer.Effects;
import dev.waybill.spring.boot.run.PlannedConsumer.Reading;
import dev.waybill.spring.boot.run.PlannedRelay.NamedBroker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes plans of the consumers that have handler methods. */
final class ConsumerPlanner {
    private static final Logger log = LoggerFactory.getLogger(ConsumerPlanner.class);

    private final StoreInboxes inboxes;
    private final Brokers brokers;
    private final RelayPlanner.Limits limits;
    private final Mistakes mistakes;
    private final Set<String> examined = new HashSet<>();

    ConsumerPlanner(StoreInboxes inboxes, Brokers brokers, RelayPlanner.Limits limits, Mistakes mistakes) {
        this.inboxes = inboxes;
        this.brokers = brokers;
        this.limits = limits;
        this.mistakes = mistakes;
    }

    /** @param defaults of a consumer without configuration */
    List<PlannedConsumer> plan(
            Map<String, List<HandlerMethod>> methods,
            Map<String, ConsumerProperties> configured,
            ConsumerProperties defaults) {
        List<PlannedConsumer> planned = new ArrayList<>();
        methods.forEach((name, handlers) -> {
            ConsumerProperties given = configured.getOrDefault(name, defaults);
            if (!configured.isEmpty() && !configured.containsKey(name)) {
                handlers.forEach(handler -> mistakes.add(
                        handler.words(),
                        "there is no consumer " + name + ": configure waybill.consumers." + name + ", or use one of "
                                + configured.keySet()));
            } else {
                plan(name, handlers, given).ifPresent(planned::add);
            }
        });
        configured.keySet().stream()
                .filter(name -> !methods.containsKey(name))
                .forEach(name -> log.warn(
                        "Consumer {} is configured, but no bean has a method with @HandlesOnce(consumer = \"{}\"): it reads"
                                + " nothing.",
                        name,
                        name));
        return planned;
    }

    private Optional<PlannedConsumer> plan(String name, List<HandlerMethod> handlers, ConsumerProperties given) {
        String where = "waybill.consumers." + name;
        Optional<NamedBroker> broker = brokers.chosen(where + ".destination", given.destination(), mistakes);
        Optional<Effects> effects = mistakes.made(where, () -> effects(given, handlers));
        effects.ifPresent(found -> requireInTransaction(where, found));
        if (broker.isEmpty() || effects.isEmpty()) {
            return Optional.empty();
        }
        return mistakes.made(
                where,
                () -> new PlannedConsumer(
                        name,
                        broker.get(),
                        reading(name, given, handlers, broker.get().broker()),
                        effects.get(),
                        options(given),
                        given.autoStartup()));
    }

    private Effects effects(ConsumerProperties given, List<HandlerMethod> handlers) {
        String store = inboxes.storeOf(given.store());
        Effects effects = new Effects(store, inboxes.inbox(), inboxes.transactions(store), handlers);
        if (examined.add(store)) {
            inboxes.problem(store).ifPresent(problem -> {
                throw new IllegalArgumentException(problem);
            });
        }
        return effects;
    }

    private void requireInTransaction(String where, Effects effects) {
        for (HandlerMethod handler : effects.methods()) {
            handler.manager()
                    .flatMap(used -> inboxes.outside(effects.store(), used))
                    .ifPresent(problem -> mistakes.add(
                            handler.words(),
                            problem + ", or set " + where + ".store to a store on the data source of that manager"));
        }
    }

    /** By default, the topics are named like the types, as a relay's route does by default. */
    private static Reading reading(String name, ConsumerProperties given, List<HandlerMethod> handlers, Broker broker) {
        List<String> topics = given.topics().isEmpty()
                ? handlers.stream().map(HandlerMethod::type).toList()
                : given.topics();
        MessageReader reader = switch (given.format()) {
            case ENVELOPE -> MessageReader.envelope();
            case RAW -> MessageReader.raw();
        };
        return new Reading(topics, broker.source(name, topics), reader, given.deadLetterTopic());
    }

    private ConsumerOptions options(ConsumerProperties given) {
        ConsumerOptions options = given.options();
        return options.grace(limits.within(options.grace()));
    }
}
