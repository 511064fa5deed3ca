package dev.waybill.spi.support;

import dev.waybill.spi.Seen;
import dev.waybill.spi.Utf8;
import dev.waybill.spi.support.InFlightBatch.Place;
import java.util.HashMap;
import java.util.Map;

/**
 * Keys with a message that was answered Retry, InDoubt or Behind, as long as the publisher may not have seen that answer. Later
 * messages of such a key are answered Behind, so that they do not overtake. Once the publisher has seen the answer, it holds
 * back later messages itself: those it publishes then may be sent. One thread at a time.
 */
public final class FailedKeys {
    private final Map<Utf8, Failed> keys = new HashMap<>();

    /**
     * @param first the first message that failed
     * @param lastBatch the number of the last batch with a message that failed
     */
    private record Failed(Place first, long lastBatch) {}

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Must be called at each publish: forgets the failures that the publisher has seen. */
    public void forgetWhatWas(Seen seen) {
        if (!keys.isEmpty()) {
            keys.values().removeIf(failed -> failed.lastBatch < seen.below());
        }
    }

    /** This message is answered Retry, InDoubt or Behind. */
    public void add(Place place) {
        Failed failed = new Failed(place, place.batch().seen().number());
        keys.merge(place.orderKey(), failed, FailedKeys::both);
    }

    private static Failed both(Failed one, Failed other) {
        return new Failed(
                one.first.isAfter(other.first) ? other.first : one.first, Math.max(one.lastBatch, other.lastBatch));
    }

    /** Whether a message must be answered Behind: it follows a failure that its publisher had not seen. */
    public boolean holdsBack(Place place) {
        Failed failed = keys.get(place.orderKey());
        return failed != null && failed.lastBatch >= place.batch().seen().below() && place.isAfter(failed.first);
    }
}
