package dev.waybill.server;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Letters of a dead-letter topic. */
final class Letters {
    static final String TOPIC = "the dead-letter topic, as orders.placed.v1.dlt";

    private Letters() {}

    /** Those at the given places, in the order of the topic. */
    static List<DeadLetterEntry> at(List<String> places, String topic, DeadLetterBox box) {
        List<DeadLetterEntry> found = box.list(topic, Integer.MAX_VALUE).stream()
                .filter(letter -> places.contains(letter.place()))
                .toList();
        if (found.isEmpty()) {
            throw CommandEndedException.notFound("There is no dead letter in " + topic + " at "
                    + String.join(", ", places) + ": it was sent back or discarded, or never was there.");
        }
        return found;
    }

    /** @param all whether all are meant, instead of those at places */
    static List<DeadLetterEntry> chosen(List<String> places, boolean all, String topic, DeadLetterBox box) {
        if (places.isEmpty() != all) {
            throw CommandEndedException.usage("Which letters? Give their places, or --all.");
        }
        List<DeadLetterEntry> letters = all ? box.list(topic, Integer.MAX_VALUE) : at(places, topic, box);
        if (letters.isEmpty()) {
            throw CommandEndedException.notFound("There are no dead letters in " + topic + ".");
        }
        return letters;
    }

    static Map<String, Object> json(DeadLetterEntry letter) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("topic", letter.topic());
        one.put("place", letter.place());
        one.put("origin", letter.origin());
        letter.eventId().ifPresent(id -> one.put("eventId", id));
        one.put("error", letter.error());
        one.put("failedAt", letter.failedAt().toString());
        one.put("consumer", letter.consumer());
        one.put("bytes", letter.bytes());
        return one;
    }
}
