package dev.waybill.relay;

import dev.waybill.RetryPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Failed attempts by topic. Of events that are published in one transaction, all those of a topic that is missing or forbidden fail
 * together. After the last attempt they are given up, and so are later ones, until the topic accepts a message. One thread.
 */
final class TopicRetries {
    private final RetryPolicy policy;
    private final Map<String, Integer> attempts = new HashMap<>();

    TopicRetries(RetryPolicy policy) {
        this.policy = policy;
    }

    /**
     * Counts an attempt of a whole transaction.
     *
     * @return the wait before the next one; empty if there is none
     */
    Optional<Duration> failed(String topic) {
        int failed =
                attempts.merge(topic, 1, (before, one) -> Math.addExact(Math.min(before, Integer.MAX_VALUE - 1), one));
        return policy.afterAttempt(failed);
    }

    void delivered(String topic) {
        if (!attempts.isEmpty()) {
            attempts.remove(topic);
        }
    }
}
