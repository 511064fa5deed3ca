package dev.waybill.server.config;

import dev.waybill.RelayDefaults;
import dev.waybill.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Defaults that a store brings for its relays, such as those of a preset layout.
 *
 * @param origin where they come from, for people
 * @param retriesFrom where the number of retries comes from
 * @param relay replace the defaults of the schema
 * @param maxAttempts attempts after which the store counts an event as dead, if it has a limit for all of them
 */
record StoreDefaults(String origin, String retriesFrom, RelayDefaults relay, OptionalInt maxAttempts) {
    private static final Map<String, String> COUNTERPARTS = Map.of(
            "poll.interval", "max-idle", "poll.max-idle", "interval", "retry.first", "max", "retry.max", "first");

    private static final String RETRIES = "retry." + ConfiguredRelay.RETRIES;

    /** A value and where it comes from. */
    record Value(JsonNode json, String origin) {}

    /** Knows which values are defaults of the schema, and replaces them. */
    interface Defaults {
        boolean isDefault(String path);

        void replace(ObjectNode section, String path, Value value);
    }

    /** The defaults of the stores of all relays, in the file's values. Stores with mistakes have none. */
    static void fillIn(Section file, Defaults ofSchema) {
        Map<String, Section> stores = file.section("stores").sections();
        file.section("relays")
                .sections()
                .values()
                .forEach(relay -> relay.findText("store")
                        .flatMap(name -> Optional.ofNullable(stores.get(name)))
                        .flatMap(StoreDefaults::of)
                        .ifPresent(defaults -> defaults.replace(relay, ofSchema)));
    }

    static Optional<StoreDefaults> of(Section store) {
        if (!store.isSound()) {
            return Optional.empty();
        }
        try {
            return StoreType.of(store).relayDefaults(store);
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // reported when the store is made
        }
    }

    private void replace(Section relay, Defaults ofSchema) {
        Map<String, JsonNode> preset = values(this.relay);
        values(fitting(relay, ofSchema)).forEach((key, json) -> {
            int dot = key.indexOf('.');
            Section section = dot < 0 ? relay : relay.section(key.substring(0, dot));
            String from = json.equals(preset.get(key)) ? originOf(key) : "follows " + COUNTERPARTS.get(key);
            ofSchema.replace(section.values(), relay.place().path() + "." + key, new Value(json, from));
        });
    }

    private String originOf(String key) {
        return key.equals(RETRIES) ? retriesFrom : origin;
    }

    /**
     * If the file has only the shortest or only the longest of two times: with another one that fits to it. It is equal if both
     * are equal in the preset, as in a poll at fixed intervals.
     */
    private RelayDefaults fitting(Section given, Defaults ofSchema) {
        if (!given.isSound()) {
            return relay;
        }
        RetryPolicy retry = relay.retry();
        Range poll = new Range(relay.pollInterval(), relay.maxIdle())
                .fitting(written(given, "poll", "interval", ofSchema), written(given, "poll", "max-idle", ofSchema));
        Range wait = new Range(retry.first(), retry.max())
                .fitting(written(given, "retry", "first", ofSchema), written(given, "retry", "max", ofSchema));
        return new RelayDefaults(
                relay.batch(),
                poll.shortest,
                poll.longest,
                relay.initialDelay(),
                new RetryPolicy(retry.retries(), wait.shortest, retry.factor(), wait.longest));
    }

    private record Range(Duration shortest, Duration longest) {
        Range fitting(Optional<Duration> writtenShortest, Optional<Duration> writtenLongest) {
            boolean fixed = shortest.equals(longest);
            if (writtenShortest.isPresent() == writtenLongest.isPresent()) {
                return this;
            }
            if (writtenShortest.isPresent()) {
                Duration low = writtenShortest.get();
                return new Range(low, fixed || low.compareTo(longest) > 0 ? low : longest);
            }
            Duration high = writtenLongest.orElseThrow();
            return new Range(fixed || high.compareTo(shortest) < 0 ? high : shortest, high);
        }
    }

    private static Optional<Duration> written(Section given, String section, String key, Defaults ofSchema) {
        return ofSchema.isDefault(given.place().path() + "." + section + "." + key)
                ? Optional.empty()
                : given.section(section).find(key, Duration.class);
    }

    private static Map<String, JsonNode> values(RelayDefaults relay) {
        Map<String, JsonNode> values = new LinkedHashMap<>();
        RetryPolicy retry = relay.retry();
        values.put("batch", LongNode.valueOf(relay.batch()));
        values.put("poll.interval", StringNode.valueOf(Durations.written(relay.pollInterval())));
        values.put("poll.max-idle", StringNode.valueOf(Durations.written(relay.maxIdle())));
        values.put("poll.initial-delay", StringNode.valueOf(Durations.written(relay.initialDelay())));
        values.put(
                RETRIES,
                retry.isUnlimited()
                        ? StringNode.valueOf(ConfiguredRelay.UNLIMITED)
                        : LongNode.valueOf(retry.retries()));
        values.put("retry.first", StringNode.valueOf(Durations.written(retry.first())));
        values.put("retry.factor", DoubleNode.valueOf(retry.factor()));
        values.put("retry.max", StringNode.valueOf(Durations.written(retry.max())));
        return values;
    }

    /** Reports a relay that allows more attempts than its store. */
    void check(Section relay, RetryPolicy retry) {
        if (maxAttempts.isPresent() && retry.retries() >= maxAttempts.getAsInt()) {
            relay.mistake(
                    RETRIES,
                    "allows more attempts than the layout of the store, in which a row with " + maxAttempts.getAsInt()
                            + " attempts is dead: use at most " + (maxAttempts.getAsInt() - 1)
                            + ", or raise max-attempts of the layout");
        }
    }
}
