package dev.waybill.relay;

import dev.waybill.RetryPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Failed attempts by topic. If a topic is missing or forbidden, all of its events in a transaction fail together. After the
 * last attempt they are given up, and so are later ones, until the topic accepts a message. One thread.
 */
final class TopicRetries {
    /** An event can name any topic, so only those that failed last are remembered. Another one is retried once more. */
    static final int MOST_GIVEN_UP = 10_000;

    private final RetryPolicy policy;
    /**
     * Topics with further attempts: those of one transaction, which is repeated until each of them has delivered or is given up. So
     * they need no bound, and with one that is too small it would be repeated for ever.
     */
    private final Map<String, Integer> attempts = new HashMap<>();
    /** The one that failed least recently is in front. */
    private final Set<String> givenUp = new LinkedHashSet<>();

    TopicRetries(RetryPolicy policy) {
        this.policy = policy;
    }

    /**
     * Counts an attempt of a whole transaction.
     *
     * @return the wait before the next one; empty if there is none
     */
    Optional<Duration> failed(String topic) {
        if (givenUp.contains(topic)) {
            giveUp(topic);
            return Optional.empty();
        }
        int failed =
                attempts.merge(topic, 1, (before, one) -> Math.addExact(Math.min(before, Integer.MAX_VALUE - 1), one));
        Optional<Duration> wait = policy.afterAttempt(failed);
        if (wait.isEmpty()) {
            attempts.remove(topic);
            giveUp(topic);
        }
        return wait;
    }

    private void giveUp(String topic) {
        givenUp.remove(topic);
        givenUp.add(topic);
        if (givenUp.size() > MOST_GIVEN_UP) {
            Iterator<String> oldest = givenUp.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void delivered(String topic) {
        attempts.remove(topic);
        givenUp.remove(topic);
    }

    /** How many topics are remembered. */
    int size() {
        return attempts.size() + givenUp.size();
    }
}
