package dev.waybill.server;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Letters of a dead-letter topic. */
final class Letters {
    static final String TOPIC = "the dead-letter topic, as orders.placed.v1.dlt";

    private static final int PAGE = 1_000;

    private Letters() {}

    /** Those at the given places. */
    static List<DeadLetterEntry> at(List<String> places, String topic, DeadLetterBox box) {
        List<DeadLetterEntry> found = places.stream()
                .flatMap(place -> box.find(topic, place).stream())
                .toList();
        if (found.isEmpty()) {
            throw CommandEndedException.notFound("There is no dead letter in " + topic + " at "
                    + String.join(", ", places) + ": it was sent back or discarded, or never was there.");
        }
        return found;
    }

    /**
     * The first ones.
     *
     * @param all whether all are meant, instead of those at places
     */
    static List<DeadLetterEntry> chosen(List<String> places, boolean all, String topic, DeadLetterBox box) {
        if (places.isEmpty() != all) {
            throw CommandEndedException.usage("Which letters? Give their places, or --all.");
        }
        List<DeadLetterEntry> letters = all ? box.list(topic, PAGE) : at(places, topic, box);
        if (letters.isEmpty()) {
            throw CommandEndedException.notFound("There are no dead letters in " + topic + ".");
        }
        return letters;
    }

    /** How many, in words; of a full page it is not known how many follow. */
    static String count(List<DeadLetterEntry> letters) {
        return Cell.grouped(letters.size()) + (letters.size() == PAGE ? " or more" : "");
    }

    /**
     * Deals with page after page, while that gets on. What failed only after the command began is left for another time: it may
     * be what was just sent back.
     *
     * @param all whether there is more than the first page
     * @param deal says with how many letters of a page it dealt
     */
    static int deal(
            List<DeadLetterEntry> first,
            boolean all,
            DeadLetterBox box,
            Instant began,
            ToIntFunction<List<DeadLetterEntry>> deal) {
        int dealtWith = deal.applyAsInt(first);
        int last = dealtWith;
        while (all && last > 0) {
            List<DeadLetterEntry> page = box.list(first.get(0).topic(), PAGE).stream()
                    .filter(letter -> letter.failedAt().isBefore(began))
                    .toList();
            last = deal.applyAsInt(page);
            dealtWith += last;
        }
        return dealtWith;
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
        if (!letter.whole()) {
            one.put("message", "did not fit into the letter");
        }
        return one;
    }
}
