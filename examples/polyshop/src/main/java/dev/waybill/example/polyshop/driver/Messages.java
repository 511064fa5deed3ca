package dev.waybill.example.polyshop.driver;

import dev.waybill.example.polyshop.common.EventTypes;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Everything that was published. */
final class Messages {
    /** What the key of each domain's events is (section 8 of the document). */
    private static final Map<String, String> KEYS = Map.of(
            "auth", "userId",
            "product", "productId",
            "inventory", "productId",
            "order", "orderId",
            "payment", "orderId",
            "notification", "notificationId");

    private static final List<String> FIELDS =
            List.of("eventId", "timestamp", "eventType", "version", "source", "data");

    /** Of every event; those that follow from an order have the userId too. */
    private static final List<String> METADATA = List.of("traceId", "correlationId", "idempotencyKey");

    private final Map<String, Set<String>> idsByType = new HashMap<>();
    private final Map<String, Set<String>> idsBySource = new HashMap<>();
    private final Set<String> groups;
    /** Trace, correlation and user of each order's events. */
    private final Map<String, Set<String>> contexts = new HashMap<>();

    private long messages;
    private long unreadable;
    private long wrongKeys;
    private long incomplete;

    private Messages(Set<String> groups) {
        this.groups = groups;
    }

    static Messages read(Shop shop) throws Exception {
        Messages read;
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", shop.kafka.bootstrapServers()))) {
            Collection<GroupListing> all = admin.listGroups().all().get();
            read = new Messages(all.stream().map(GroupListing::groupId).collect(Collectors.toSet()));
        }
        for (ConsumerRecord<String, String> message : shop.topics.everything(EventTypes.all())) {
            if (message.value().equals(Garbage.TEXT)) {
                read.unreadable++;
            } else {
                read.add(message);
            }
        }
        return read;
    }

    private void add(ConsumerRecord<String, String> message) {
        JsonNode envelope = JsonMapper.shared().readTree(message.value());
        String id = envelope.path("eventId").asString();
        String type = envelope.path("eventType").asString();
        String key = KEYS.get(type.substring(0, type.indexOf('.')));
        idsByType.computeIfAbsent(type, unseen -> new HashSet<>()).add(id);
        idsBySource
                .computeIfAbsent(envelope.path("source").asString(), unseen -> new HashSet<>())
                .add(id);
        messages++;
        boolean right = type.equals(message.topic())
                && envelope.path("data").path(key).asString().equals(message.key());
        wrongKeys += right ? 0 : 1;
        incomplete += isComplete(envelope) ? 0 : 1;
        String order = envelope.path("data").path("orderId").asString("");
        if (!order.isEmpty()) {
            JsonNode metadata = envelope.path("metadata");
            contexts.computeIfAbsent(order, unseen -> new HashSet<>())
                    .add(String.join(
                            " ",
                            metadata.path("traceId").asString(""),
                            metadata.path("correlationId").asString(""),
                            metadata.path("userId").asString("no user")));
        }
    }

    private static boolean isComplete(JsonNode envelope) {
        JsonNode metadata = envelope.path("metadata");
        return FIELDS.stream().allMatch(envelope::hasNonNull)
                && METADATA.stream().allMatch(metadata::hasNonNull)
                && (metadata.hasNonNull("userId") || !envelope.path("data").has("orderId"))
                && envelope.path("version").asInt() == 1;
    }

    /** The ids of the events of a service. */
    Set<String> from(Service service) {
        return idsBySource.getOrDefault(service.label, Set.of());
    }

    /** The ids of the events of these types. */
    List<String> events(List<String> types) {
        return types.stream()
                .flatMap(type -> idsByType.getOrDefault(type, Set.of()).stream())
                .toList();
    }

    /** How many events there are of each type. */
    Map<String, Long> byType() {
        Map<String, Long> counts = new TreeMap<>();
        idsByType.forEach((type, ids) -> counts.put(type, (long) ids.size()));
        return counts;
    }

    /** Messages that are no envelope. */
    long unreadable() {
        return unreadable;
    }

    /** Orders whose events have more than one trace, correlation or user. */
    long torn() {
        return contexts.values().stream()
                .filter(different -> different.size() > 1)
                .count();
    }

    /** Messages beyond the first of an event. */
    long repeated() {
        return messages - idsByType.values().stream().mapToLong(Set::size).sum();
    }

    /** Messages whose topic is not their type, or whose key is not the one of their domain. */
    long wrongKeys() {
        return wrongKeys;
    }

    long incomplete() {
        return incomplete;
    }

    /** The consumer groups that Kafka knows. */
    Set<String> groups() {
        return groups;
    }
}
