package dev.waybill.spi;

import java.util.Locale;
import java.util.Set;

/**
 * Names of headers that tell what a message is. A relay or a dead letter writes them; an application that could give them to its
 * event could pass one event off as another.
 */
public final class ReservedHeaders {
    private static final String DEAD_LETTER = "dead-letter-";
    private static final Set<String> NAMES = Set.of(
            "event-id",
            "event-type",
            "content-type",
            "event_id",
            "event_type",
            "aggregate_type",
            "aggregate_id",
            "created_at",
            "content_type");

    private ReservedHeaders() {}

    /** However it is written: some brokers and consumers do not tell capitals apart. */
    public static boolean contains(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        return small.startsWith(DEAD_LETTER) || NAMES.contains(small);
    }
}
