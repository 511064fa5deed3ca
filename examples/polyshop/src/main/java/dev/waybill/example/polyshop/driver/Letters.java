package dev.waybill.example.polyshop.driver;

import dev.waybill.example.polyshop.common.EventTypes;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** All dead letters, each once: a consumer that is killed before it acknowledges writes a letter again. */
final class Letters {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> FIELDS =
            List.of("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");

    private final Map<String, Letter> letters = new LinkedHashMap<>();

    private record Letter(String topic, JsonNode body) {
        String consumer() {
            return body.path("consumerService").asString();
        }

        String eventId() {
            return body.path("eventId").asString("");
        }

        /** About an event that its consumer could read. */
        boolean isReadable() {
            return !eventId().isEmpty();
        }

        /** With all fields of the document, from the inventory, about the missing product. */
        boolean isComplete() {
            return FIELDS.stream().allMatch(body::hasNonNull)
                    && consumer().equals(Service.INVENTORY.label)
                    && body.path("errorMessage").asString().contains("product not found")
                    && body.path("originalEvent").path("eventId").asString().equals(eventId());
        }

        /** Without an event, but with the bytes of the message. */
        boolean hasGarbage() {
            return !isReadable()
                    && body.path("originalEvent").isNull()
                    && body.hasNonNull("errorMessage")
                    && body.hasNonNull("failedAt")
                    && Arrays.equals(
                            Base64.getDecoder()
                                    .decode(body.path("originalBytes").asString("")),
                            Garbage.bytes());
        }
    }

    private Letters() {}

    static Letters read(Shop shop) {
        Letters letters = new Letters();
        List<String> topics =
                EventTypes.all().stream().map(type -> type + ".dlt").toList();
        for (ConsumerRecord<String, String> message : shop.topics.everything(topics)) {
            Letter letter = new Letter(message.topic(), JSON.readTree(message.value()));
            letters.letters.put(letter.topic + " " + letter.consumer() + " " + letter.eventId(), letter);
        }
        return letters;
    }

    private Stream<Letter> those(Predicate<Letter> wanted) {
        return letters.values().stream().filter(wanted);
    }

    long ofUnknownProducts() {
        return those(Letter::isReadable).count();
    }

    long complete() {
        return those(letter -> letter.topic.equals(Operator.LETTERS) && letter.isComplete())
                .count();
    }

    /** Topic and consumer of each letter with a message that could not be read. */
    List<String> unreadable() {
        return those(Letter::hasGarbage)
                .map(letter -> letter.topic + " " + letter.consumer())
                .toList();
    }

    Map<String, Long> byConsumer() {
        Map<String, Long> counts = new TreeMap<>();
        letters.values().forEach(letter -> counts.merge(letter.consumer(), 1L, Long::sum));
        return counts;
    }
}
