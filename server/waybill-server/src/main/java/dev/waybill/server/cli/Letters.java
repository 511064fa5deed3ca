package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.server.terminal.Cell;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Letters of a dead-letter topic. */
final class Letters {
    static final String TOPIC = "the dead-letter topic, as orders.placed.v1.dlt";

    static final String ALL = "all letters of the topic, at most " + Letters.MOST + " at a time";

    /** The most letters held in memory. Exactly the letters that were confirmed are changed; none is looked up later. */
    static final int MOST = 10_000;

    private Letters() {}

    /** The letters at the given places. */
    static List<DeadLetterEntry> at(List<String> places, String topic, DeadLetterBox box) {
        List<DeadLetterEntry> found = places.stream()
                .flatMap(place -> box.find(topic, place).stream())
                .toList();
        if (found.isEmpty()) {
            throw CommandEndedException.notFound("There is no dead letter in " + topic + " at "
                    + String.join(", ", places)
                    + ": it was sent back or discarded, or never existed. Give the PLACE that"
                    + " `waybill dead-letters list` shows, not the id of an event.");
        }
        return found;
    }

    /** @param all whether to take all letters of the topic, instead of those at the places */
    static List<DeadLetterEntry> chosen(List<String> places, boolean all, String topic, DeadLetterBox box) {
        if (places.isEmpty() != all) {
            throw CommandEndedException.usage("No letters were selected: give their places, or --all.");
        }
        List<DeadLetterEntry> letters = all ? box.choose(topic, MOST) : at(places, topic, box);
        if (letters.isEmpty()) {
            throw CommandEndedException.notFound("There are no dead letters in " + topic + ".");
        }
        return letters;
    }

    /** @return how many of the places have no letter; 0 if all letters were selected */
    static int missing(List<String> places, List<DeadLetterEntry> found) {
        return Math.max(0, places.size() - found.size());
    }

    /** The original topics of the messages. */
    static String origins(List<DeadLetterEntry> letters) {
        return String.join(
                ", ",
                new TreeSet<>(letters.stream()
                        .map(DeadLetterEntry::origin)
                        .filter(origin -> !origin.isEmpty())
                        .toList()));
    }

    /** A remark for the case that more letters exist than are changed at once. */
    static String more(List<DeadLetterEntry> letters) {
        return letters.size() < MOST
                ? ""
                : "; these are the oldest " + Cell.grouped(MOST) + ", and there may be more: run it again";
    }

    static Map<String, Object> json(DeadLetterEntry letter) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("topic", letter.topic());
        one.put("place", letter.place());
        one.put("origin", letter.origin());
        letter.eventId().ifPresent(id -> one.put("eventId", id));
        one.put("error", letter.error());
        letter.failedAt().ifPresent(at -> one.put("failedAt", at.toString()));
        one.put("consumer", letter.consumer());
        one.put("bytes", letter.bytes());
        switch (letter.contents()) {
            case MESSAGE -> {}
            case WHERE_IT_STOOD -> one.put("message", "did not fit into the letter");
            case UNREADABLE -> one.put("message", "unknown: the letter cannot be read");
        }
        return one;
    }
}
