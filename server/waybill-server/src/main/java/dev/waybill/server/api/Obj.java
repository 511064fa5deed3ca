package dev.waybill.server.api;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A JSON object that is being made. What has no value is left out. */
final class Obj {
    private static final double MILLIS = 1_000.0;

    private final Map<String, Object> values = new LinkedHashMap<>();

    Obj text(String key, String value) {
        values.put(key, value);
        return this;
    }

    Obj text(String key, Optional<String> value) {
        value.ifPresent(text -> values.put(key, text));
        return this;
    }

    Obj flag(String key, boolean value) {
        values.put(key, value);
        return this;
    }

    /** As a text, because readers may take numbers for 64-bit floating point. */
    Obj count(String key, long value) {
        values.put(key, Long.toString(value));
        return this;
    }

    Obj number(String key, double value) {
        if (Double.isFinite(value)) {
            values.put(key, value);
        }
        return this;
    }

    Obj number(String key, OptionalDouble value) {
        value.ifPresent(number -> number(key, number));
        return this;
    }

    Obj whole(String key, int value) {
        values.put(key, value);
        return this;
    }

    Obj time(String key, Instant value) {
        values.put(key, value.toString());
        return this;
    }

    Obj time(String key, Optional<Instant> value) {
        value.ifPresent(time -> time(key, time));
        return this;
    }

    Obj seconds(String key, Optional<Duration> value) {
        value.ifPresent(time -> values.put(key, time.toMillis() / MILLIS));
        return this;
    }

    Obj list(String key, List<Obj> value) {
        values.put(key, value.stream().map(Obj::map).toList());
        return this;
    }

    Obj texts(String key, List<String> value) {
        values.put(key, value);
        return this;
    }

    Obj object(String key, Obj value) {
        values.put(key, value.map());
        return this;
    }

    /** Everything of another object. */
    Obj all(Obj other) {
        values.putAll(other.values);
        return this;
    }

    Map<String, Object> map() {
        return values;
    }
}
