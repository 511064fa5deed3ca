package dev.waybill.demo;

import java.util.Locale;

/**
 * Compares the topics with what the database committed.
 *
 * @param appended committed in the database
 * @param delivered committed and in Kafka
 * @param lost committed, but not in Kafka
 * @param ghosts in Kafka, but never committed
 * @param duplicates in Kafka more than once
 * @param inversions first deliveries with an older revision than the one before, per order and topic
 */
record Verdict(long appended, long delivered, long lost, long ghosts, long duplicates, long inversions) {
    boolean isGood() {
        return lost == 0 && ghosts == 0 && inversions == 0;
    }

    String line(double seconds) {
        String ghostly = ghosts == 0 ? "" : " ghosts=" + ghosts;
        return String.format(
                Locale.ROOT,
                "demo: appended=%d delivered=%d lost=%d duplicates=%d inversions=%d%s seconds=%.1f",
                appended,
                delivered,
                lost,
                duplicates,
                inversions,
                ghostly,
                seconds);
    }
}
