package dev.waybill.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The Kafka properties that users cannot set, and the rules for the others. */
final class PropertyRules {
    static final Duration SHORTEST_DELIVERY = Duration.ofSeconds(1);
    static final Map<String, String> OURS = fixed();

    private static Map<String, String> fixed() {
        Map<String, String> ours = new LinkedHashMap<>();
        ours.put("acks", "always all, or an acknowledged event could be lost");
        ours.put("enable.idempotence", "always true, or events could overtake each other");
        ours.put("transactional.id", "set by relays that deliver exactly once");
        ours.put("retries", "unlimited within the delivery timeout");
        ours.put(
                "max.in.flight.requests.per.connection",
                "always 1, or the first events of a partition could be overtaken");
        ours.put("delivery.timeout.ms", "set the option deliveryTimeout instead");
        ours.put("max.block.ms", "5 seconds, or the delivery timeout when that is shorter");
        ours.put("partitioner.ignore.keys", "always false, or the events of a key would lose their order");
        ours.put("key.serializer", "keys are bytes");
        ours.put("value.serializer", "values are bytes");
        return Collections.unmodifiableMap(ours);
    }

    private PropertyRules() {}

    static void check(Map<String, String> properties, Duration deliveryTimeout, Duration topicTimeout) {
        List<String> problems = new ArrayList<>();
        if (properties.getOrDefault("bootstrap.servers", "").isBlank()) {
            problems.add("bootstrap.servers is missing: give at least one host:port");
        }
        OURS.forEach((name, why) -> {
            if (properties.containsKey(name)) {
                problems.add(name + " cannot be set (" + why + "): remove it");
            }
        });
        if (deliveryTimeout.compareTo(SHORTEST_DELIVERY) < 0) {
            problems.add("deliveryTimeout is " + deliveryTimeout.toMillis() + " ms: use at least "
                    + SHORTEST_DELIVERY.toMillis() + " ms");
        }
        if (topicTimeout.isNegative()) {
            problems.add("topicTimeout is " + topicTimeout.toMillis() + " ms: use 0 or more");
        }
        addTimeProblem(problems, properties, deliveryTimeout);
        addTransactionProblem(problems, properties, deliveryTimeout);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "The Kafka options have " + problems.size() + " problem(s):\n- " + String.join("\n- ", problems));
        }
    }

    /** Kafka's own properties are given as text, so that the rules above apply to them. */
    static void checkObjects(Set<String> names) {
        Set<String> known = new TreeSet<>(names);
        known.retainAll(ProducerConfig.configNames());
        if (!known.isEmpty()) {
            throw new IllegalArgumentException(
                    "The Kafka properties " + known + " are given as objects: give them as text in the properties.");
        }
    }

    /** Kafka itself refuses these combinations, but only when the first event is sent. */
    private static void addTimeProblem(
            List<String> problems, Map<String, String> properties, Duration deliveryTimeout) {
        long linger = number(properties, "linger.ms").orElse(0);
        long request = number(properties, "request.timeout.ms").orElse(1);
        if (linger + request > deliveryTimeout.toMillis()) {
            problems.add("linger.ms and request.timeout.ms together are " + (linger + request)
                    + " ms, more than the delivery timeout of " + deliveryTimeout.toMillis()
                    + " ms: make them shorter, or deliveryTimeout longer");
        }
    }

    /** Kafka would abort a transaction while its messages are still being delivered, again and again. */
    private static void addTransactionProblem(
            List<String> problems, Map<String, String> properties, Duration deliveryTimeout) {
        OptionalLong transaction = number(properties, "transaction.timeout.ms");
        if (transaction.isPresent() && transaction.getAsLong() <= deliveryTimeout.toMillis()) {
            problems.add("transaction.timeout.ms is " + transaction.getAsLong()
                    + " ms, and a message may take the delivery timeout of " + deliveryTimeout.toMillis()
                    + " ms: make it longer, or remove it");
        }
    }

    /** Values that are not numbers are left to Kafka's own check, which names the property. */
    static OptionalLong number(Map<String, String> properties, String name) {
        try {
            return OptionalLong.of(
                    Long.parseLong(properties.getOrDefault(name, "").trim()));
        } catch (NumberFormatException notSet) {
            return OptionalLong.empty();
        }
    }
}
