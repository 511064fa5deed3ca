package dev.waybill;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules every text of an event must keep, each with its remedy. */
final class Check {
    private Check() {}

    static String required(@Nullable String value, String what, String remedy, int maxLength) {
        if (value == null || value.isBlank()) {
            throw new InvalidEventException("The event has no " + what + ": give one, as in " + remedy + ".");
        }
        return name(what, value, maxLength);
    }

    /** A text that people and logs get to see: without characters that would move the cursor or begin a new line. */
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

    static Map<String, String> headers(Map<String, String> headers) {
        if (headers.size() > Event.MAX_HEADERS) {
            throw new InvalidEventException("The event has " + headers.size() + " headers, at most " + Event.MAX_HEADERS
                    + " are allowed: put data into the payload.");
        }
        long length = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            name("header name", header.getKey(), Event.MAX_NAME_LENGTH);
            if (ReservedHeaders.contains(header.getKey())) {
                throw new InvalidEventException("The event's header " + header.getKey()
                        + " has a name that relays and dead letters write themselves: use another one.");
            }
            if (header.getValue() == null) {
                throw new InvalidEventException(
                        "The event's header " + header.getKey() + " has no value: leave it out or give it one.");
            }
            length += header.getKey().length()
                    + storable("header " + header.getKey(), header.getValue()).length();
        }
        if (length > Event.MAX_HEADERS_LENGTH) {
            throw new InvalidEventException("The event's headers have " + length + " characters together, at most "
                    + Event.MAX_HEADERS_LENGTH + " are allowed: put data into the payload.");
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** No database stores a NUL in text, and a lone surrogate has no UTF-8 form. */
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
