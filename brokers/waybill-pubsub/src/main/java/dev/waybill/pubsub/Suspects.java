package dev.waybill.pubsub;

import dev.waybill.spi.Utf8;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Events for which Pub/Sub was unavailable. At that moment it is unknown whether all of Pub/Sub is unavailable or only this key
 * fails, so Pub/Sub counts as unavailable and no attempt is counted. If the event fails again in the same way after others were
 * delivered in the new session, only its key fails: then it is retried alone, and others continue.
 */
final class Suspects {
    private static final int MOST = 10_000;

    private final Set<Utf8> eventIds = new LinkedHashSet<>();

    synchronized boolean has(Utf8 eventId) {
        return !eventIds.isEmpty() && eventIds.contains(eventId);
    }

    synchronized void add(Utf8 eventId) {
        eventIds.add(eventId);
        if (eventIds.size() > MOST) {
            Iterator<Utf8> oldest = eventIds.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    synchronized void clear(Utf8 eventId) {
        if (!eventIds.isEmpty()) {
            eventIds.remove(eventId);
        }
    }
}
