package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The known state of topics. An unknown topic is looked up without waiting for the answer. */
final class Topics {
    /** A missing topic is looked up again after this time. */
    private static final long ABSENT_NANOS = 100_000_000;

    private final long idleNanos;
    private final BiConsumer<String, Boolean> ask;
    private final Map<String, State> states = new HashMap<>();
    private long now;
    private @Nullable String lastKnown;

    /**
     * @param ask receives a topic, and whether to wait for it because this is the first lookup
     */
    Topics(long idleNanos, BiConsumer<String, Boolean> ask) {
        this.idleNanos = idleNanos;
        this.ask = ask;
    }

    /** Called once for many messages, so that the clock is not read for each. */
    void tick(long nanoTime) {
        now = nanoTime;
        lastKnown = null;
    }

    /** A fast path: most messages go to the same topic as the previous one. */
    boolean isKnown(String topic) {
        return topic.equals(lastKnown) || fresh(topic) instanceof Known;
    }

    /** Whether a message can be sent to the topic now. */
    State stateOf(String topic) {
        State state = fresh(topic);
        if (state != null) {
            return state;
        }
        boolean wasAbsent = states.put(topic, new Asked()) instanceof Absent;
        ask.accept(topic, !wasAbsent);
        return new Asked();
    }

    private @Nullable State fresh(String topic) {
        State state = states.get(topic);
        if (state instanceof Known known) {
            if (now - known.lastUsed >= idleNanos) {
                return null;
            }
            known.lastUsed = now;
            lastKnown = topic;
        } else if (state instanceof Absent absent && now - absent.since >= ABSENT_NANOS) {
            return null;
        }
        return state;
    }

    void isThere(String topic) {
        states.put(topic, new Known(now));
    }

    void isAbsent(String topic, Delivery why) {
        states.put(topic, new Absent(why, now));
    }

    /** A new producer has no metadata of any topic. */
    void forget() {
        states.clear();
        lastKnown = null;
    }

    sealed interface State {}

    /** Messages can be sent. */
    static final class Known implements State {
        private long lastUsed;

        Known(long lastUsed) {
            this.lastUsed = lastUsed;
        }
    }

    /** The lookup is in progress. */
    record Asked() implements State {}

    /** Messages cannot be sent, for this reason. */
    record Absent(Delivery why, long since) implements State {}
}
