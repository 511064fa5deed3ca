package dev.waybill;

import dev.waybill.spi.ReservedHeaders;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the text fields of an event. */
final class Check {
    private Check() {}

    static String required(@Nullable String value, String what, String remedy, int maxLength) {
        if (value == null || value.isBlank()) {
            throw new InvalidEventException("The event has no " + what + ": set it, as in " + remedy + ".");
        }
        return name(what, value, maxLength);
    }

    /** Checks a text that appears in logs and on terminals: it must not contain control characters. */
    static String name(String what, String value, int maxLength) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw new InvalidEventException("The event's " + what + " has a control character (0x"
                        + Integer.toHexString(value.charAt(i)) + " at " + i + "): remove it.");
            }
        }
        return text(what, value, maxLength);
    }

    static String text(String what, String value, int maxLength) {
        if (value.isEmpty()) {
            throw new InvalidEventException("The event's " + what + " is empty: leave it out or give it a value.");
        }
        if (value.length() > maxLength) {
            throw new InvalidEventException("The event's " + what + " has " + value.length() + " characters, at most "
                    + maxLength + " are allowed: use a shorter one.");
        }
        return storable(what, value);
    }

    /** A copy of the headers with one more. */
    static Map<String, String> headers(Map<String, String> headers, String name, @Nullable String value) {
        name("header name", name, Event.MAX_NAME_LENGTH);
        if (ReservedHeaders.contains(name)) {
            throw new InvalidEventException("The event's header " + name
                    + " has a name that is reserved for relays and dead letters: use another one.");
        }
        if (value == null) {
            throw new InvalidEventException(
                    "The event's header " + name + " has no value: leave it out or give it one.");
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, storable("header " + name, value));
        if (all.size() > Event.MAX_HEADERS) {
            throw new InvalidEventException("The event has " + all.size() + " headers, at most " + Event.MAX_HEADERS
                    + " are allowed: put data into the payload.");
        }
        long length = 0;
        for (Map.Entry<String, String> header : all.entrySet()) {
            length += header.getKey().length() + header.getValue().length();
        }
        if (length > Event.MAX_HEADERS_LENGTH) {
            throw new InvalidEventException("The event's headers have " + length + " characters together, at most "
                    + Event.MAX_HEADERS_LENGTH + " are allowed: put data into the payload.");
        }
        return Collections.unmodifiableMap(all);
    }

    /** Refuses NUL, which databases cannot store in text, and unpaired surrogates, which UTF-8 cannot encode. */
    private static String storable(String what, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean pair = Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1));
            if (pair) {
                i++;
            } else if (c == 0 || Character.isSurrogate(c)) {
                throw new InvalidEventException("The event's " + what + " has a character that cannot be stored (0x"
                        + Integer.toHexString(c) + " at " + i + "): remove it.");
            }
        }
        return value;
    }
}
