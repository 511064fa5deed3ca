package dev.waybill.pubsub;

import dev.waybill.spi.Utf8;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Events at which Pub/Sub was found unavailable. Whether the whole of it is away or only this key is in trouble cannot be
 * told at that moment, so the whole counts as away and nobody is blamed. When the event fails so again, and others have been
 * delivered since everything began afresh, the trouble is its own: then it is to be retried alone, and others go on.
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
