package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why topics do not accept messages. An event can name any topic, so only the 10,000 that were looked up last are remembered.
 * What cannot be the name of a topic is looked up without waiting anyway, and is forgotten with the next batch. One thread.
 */
final class MissingTopics {
    static final int MOST = 10_000;
    /** A missing topic is looked up again after this time. */
    private static final long VALID_NANOS = 100_000_000;

    /** The one that was looked up first is in front. */
    private final Map<String, Missing> missing = new LinkedHashMap<>();

    private final Map<String, Delivery> refused = new HashMap<>();

    private record Missing(Delivery why, long sinceNanos) {}

    /** Why nothing can be sent to the topic; null if it must be looked up. */
    @Nullable Delivery why(String topic, long nanoTime) {
        Missing found = missing.get(topic);
        if (found == null) {
            return refused.get(topic);
        }
        return nanoTime - found.sinceNanos < VALID_NANOS ? found.why : null;
    }

    /** Whether it was missing before, so that it is not waited for again. */
    boolean has(String topic) {
        return missing.containsKey(topic);
    }

    void add(String topic, Delivery why, long nanoTime) {
        missing.remove(topic);
        if (why instanceof Refused) {
            refused.put(topic, why);
            return;
        }
        missing.put(topic, new Missing(why, nanoTime));
        if (missing.size() > MOST) {
            Iterator<String> oldest = missing.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void remove(String topic) {
        missing.remove(topic);
    }

    /** Another batch begins. */
    void forgetRefused() {
        if (!refused.isEmpty()) {
            refused.clear();
        }
    }

    void clear() {
        missing.clear();
        refused.clear();
    }

    /** How many are remembered. */
    int size() {
        return missing.size() + refused.size();
    }
}
