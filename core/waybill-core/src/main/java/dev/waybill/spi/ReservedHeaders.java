package dev.waybill.spi;

import java.util.Locale;
import java.util.Set;

/**
 * Names of headers that identify a message. Only relays and dead letters write them: an application that could set them could
 * make one event look like another.
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

    /** Ignores case, because some brokers and consumers do. */
    public static boolean contains(String name) {
        String small = name.toLowerCase(Locale.ROOT);
        return small.startsWith(DEAD_LETTER) || NAMES.contains(small);
    }
}
