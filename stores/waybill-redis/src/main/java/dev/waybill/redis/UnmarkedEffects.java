package dev.waybill.redis;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** Keys of applied effects that Redis has not recorded yet. Safe for use by many threads. */
final class UnmarkedEffects {
    /** While Redis is unavailable no event is handled, so there are hardly more keys than workers. */
    private static final int MOST = 10_000;

    private final Map<String, String> marks = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    synchronized void add(String key, String mark) {
        marks.put(key, mark);
    }

    synchronized void remove(String key, String mark) {
        marks.remove(key, mark);
    }

    /** The current keys, oldest first. */
    void forEach(BiConsumer<String, String> work) {
        Map<String, String> now;
        synchronized (this) {
            now = new LinkedHashMap<>(marks);
        }
        now.forEach(work);
    }
}
