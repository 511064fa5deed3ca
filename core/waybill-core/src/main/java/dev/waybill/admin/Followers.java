package dev.waybill.admin;

import java.util.List;

/**
 * Events that wait behind another one of their key.
 *
 * @param events oldest first
 * @param all false if there may be more
 */
public record Followers(List<ParkedEvent> events, boolean all) {
    public static final Followers NONE = new Followers(List.of(), true);

    public Followers {
        events = List.copyOf(events);
    }

    /** The first of these events, which are one more than wanted if there are more. */
    public static Followers first(List<ParkedEvent> events, int atMost) {
        return new Followers(events.subList(0, Math.min(atMost, events.size())), events.size() <= atMost);
    }
}
