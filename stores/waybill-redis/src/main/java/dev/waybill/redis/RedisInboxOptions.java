package dev.waybill.redis;

import java.time.Duration;

/**
 * How an inbox is kept in Redis.
 *
 * @param keyPattern the name of an event's key, with the placeholders <code>{consumer}</code> and <code>{event}</code>
 * @param remember how long a handled event is remembered: at least as long as it can be delivered again
 * @param atWork how long a consumer may take for one event before it counts as crashed
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
                            + "\" must contain {consumer} and {event}, because keys of different consumers and events must differ.");
        }
        if (remember.toMillis() < 1 || atWork.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "remember is " + remember + " and atWork is " + atWork + ": both must be at least 1 ms.");
        }
        if (atWork.compareTo(remember) > 0) {
            throw new IllegalArgumentException("atWork is " + atWork + ", longer than remember, " + remember
                    + ": use a shorter atWork or a longer remember.");
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

    /**
     * The event's id is inserted last, so that a placeholder in it is not replaced. Ids may contain colons; those of the consumer's
     * name are escaped, so that no two pairs of consumer and event have the same key.
     */
    String key(String consumer, String eventId) {
        String escaped = consumer.replace("%", "%25").replace(":", "%3A").replace("{", "%7B");
        return keyPattern.replace("{consumer}", escaped).replace("{event}", eventId);
    }
}
