package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The known state of topics. An unknown topic is looked up without waiting for the answer. */
final class Topics {
    private static final Asked ASKED = new Asked();

    private final long idleNanos;
    private final BiConsumer<String, Boolean> ask;
    /** Topics that are there, and those whose lookup is in progress. */
    private final Map<String, State> states = new HashMap<>();

    private final MissingTopics missing = new MissingTopics();
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
        missing.forgetRefused();
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
        Delivery why = missing.why(topic, now);
        if (why != null) {
            return new Absent(why);
        }
        states.put(topic, ASKED);
        ask.accept(topic, !missing.has(topic));
        return ASKED;
    }

    private @Nullable State fresh(String topic) {
        State state = states.get(topic);
        if (state instanceof Known known) {
            if (now - known.lastUsed >= idleNanos) {
                return null;
            }
            known.lastUsed = now;
            lastKnown = topic;
        }
        return state;
    }

    void isThere(String topic) {
        missing.remove(topic);
        states.put(topic, new Known(now));
    }

    void isAbsent(String topic, Delivery why) {
        states.remove(topic);
        missing.add(topic, why, now);
    }

    /** A new producer has no metadata of any topic. */
    void forget() {
        states.clear();
        missing.clear();
        lastKnown = null;
    }

    /** How many are remembered. */
    int size() {
        return states.size() + missing.size();
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
    record Absent(Delivery why) implements State {}
}
