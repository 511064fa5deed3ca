package dev.waybill.server.api;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a request's body. A field of the wrong kind is a bad request. */
final class Input {
    private static final int LONGEST = 10_000;
    /** Times that every database can read. */
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private final Map<String, Object> values;

    Input(Map<String, Object> values) {
        this.values = values;
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    Iterable<String> keys() {
        return values.keySet();
    }

    String text(String key) {
        return find(key).orElseThrow(() -> Json.bad("The field " + key + " is missing or blank."));
    }

    /** Empty if it is missing or blank. */
    Optional<String> find(String key) {
        Object value = values.get(key);
        if (value == null) {
            return Optional.empty();
        }
        if (!(value instanceof String text) || text.length() > LONGEST) {
            throw Json.bad("The field " + key + " must be a text of at most " + LONGEST + " characters.");
        }
        if (text.indexOf('\0') >= 0) {
            throw Json.bad("The field " + key + " contains a null character.");
        }
        return text.isBlank() ? Optional.empty() : Optional.of(text);
    }

    List<String> texts(String key, int most) {
        if (!(values.get(key) instanceof List<?> list) || list.isEmpty() || list.size() > most) {
            throw Json.bad("The field " + key + " must be a list of 1 to " + most + " texts.");
        }
        List<String> texts = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text) || text.length() > LONGEST || text.indexOf('\0') >= 0) {
                throw Json.bad("The field " + key + " must be a list of texts.");
            }
            texts.add(text);
        }
        return texts;
    }

    boolean flag(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw Json.bad("The field " + key + " must be true or false.");
        }
        return Boolean.TRUE.equals(value);
    }

    int whole(String key, int standard, int least, int most) {
        Object value = values.getOrDefault(key, standard);
        if (!(value instanceof Integer number) || number < least || number > most) {
            throw Json.bad("The field " + key + " must be a whole number from " + least + " to " + most + ".");
        }
        return number;
    }

    Optional<Instant> time(String key) {
        return find(key).map(text -> time(key, text));
    }

    static Instant time(String key, String text) {
        try {
            Instant time = Instant.parse(text);
            if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
                throw Json.bad("The field " + key + " must be a time from " + EARLIEST + " to " + LATEST + ".");
            }
            return time;
        } catch (DateTimeParseException e) {
            throw Json.bad("The field " + key + " must be a time such as 2026-11-17T08:30:00Z.");
        }
    }

    @SuppressWarnings("unchecked") // JSON objects have texts as keys
    Input object(String key) {
        if (!(values.get(key) instanceof Map<?, ?> map)) {
            throw Json.bad("The field " + key + " must be an object.");
        }
        return new Input((Map<String, Object>) map);
    }
}
