package dev.waybill.redis;

import java.time.Duration;

/**
 * How an inbox is kept in Redis.
 *
 * @param keyPattern the name of an event's key; <code>{consumer}</code> and <code>{event}</code> stand for the two
 * @param remember how long a handled event is remembered: at least as long as it may come again
 * @param atWork how long a consumer may take over one event before it is taken for dead
 */
public record RedisInboxOptions(String keyPattern, Duration remember, Duration atWork) {
    private static final RedisInboxOptions DEFAULTS =
            new RedisInboxOptions("pf:evt:processed:{consumer}:{event}", Duration.ofDays(30), Duration.ofSeconds(60));

    /** {@code pf:evt:processed:<consumer>:<event id>}, for 720 hours, that is 30 days; a minute for each event. */
    public static RedisInboxOptions defaults() {
        return DEFAULTS;
    }

    public RedisInboxOptions {
        if (!keyPattern.contains("{consumer}") || !keyPattern.contains("{event}")) {
            throw new IllegalArgumentException(
                    "The key pattern \"" + keyPattern
                            + "\" must have {consumer} and {event} in it, or consumers and events would be taken for each other.");
        }
        if (remember.toMillis() < 1 || atWork.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "remember is " + remember + " and atWork is " + atWork + ": both must be at least 1 ms.");
        }
        if (atWork.compareTo(remember) > 0) {
            throw new IllegalArgumentException("atWork is " + atWork + ", longer than remember, " + remember
                    + ": an event would be forgotten sooner than a dead consumer is noticed.");
        }
    }

    public RedisInboxOptions keyPattern(String pattern) {
        return new RedisInboxOptions(pattern, remember, atWork);
    }

    public RedisInboxOptions remember(Duration time) {
        return new RedisInboxOptions(keyPattern, time, atWork);
    }

    public RedisInboxOptions atWork(Duration time) {
        return new RedisInboxOptions(keyPattern, remember, time);
    }

    /** The event's id comes last, so what stands in it cannot pass for a consumer. */
    String key(String consumer, String eventId) {
        return keyPattern.replace("{consumer}", consumer).replace("{event}", eventId);
    }
}
