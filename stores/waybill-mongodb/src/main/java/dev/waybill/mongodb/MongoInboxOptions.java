package dev.waybill.mongodb;

import java.time.Duration;

/**
 * How an inbox is kept in MongoDB.
 *
 * @param collection of handled events
 * @param versions the collection of the last version seen of each entity; they are kept for ever
 * @param remember how long a handled event is remembered: at least as long as it can be delivered again
 */
public record MongoInboxOptions(String collection, String versions, Duration remember) {
    private static final MongoInboxOptions DEFAULTS =
            new MongoInboxOptions("processed_events", "processed_versions", Duration.ofDays(30));

    /** {@code processed_events} and {@code processed_versions}, for 30 days. */
    public static MongoInboxOptions defaults() {
        return DEFAULTS;
    }

    public MongoInboxOptions {
        if (collection.isBlank() || versions.isBlank() || collection.equals(versions)) {
            throw new IllegalArgumentException("The inbox needs two collections, not \"" + collection + "\" and \""
                    + versions + "\": give them different names.");
        }
        if (remember.toSeconds() < 1) {
            throw new IllegalArgumentException("remember is " + remember + ": use at least 1 s.");
        }
    }

    public MongoInboxOptions collection(String name) {
        return new MongoInboxOptions(name, versions, remember);
    }

    public MongoInboxOptions versions(String name) {
        return new MongoInboxOptions(collection, name, remember);
    }

    public MongoInboxOptions remember(Duration time) {
        return new MongoInboxOptions(collection, versions, time);
    }
}
