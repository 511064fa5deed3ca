package dev.waybill.bench.kit;

import java.util.Locale;

/**
 * What a backlog is like, and who drains it.
 *
 * @param keys how many keys the events have
 * @param hot whether nine of ten events have the same key
 * @param retained events that are already published and still stored
 * @param relays in the process; each sends every event
 */
public record Shape(int keys, boolean hot, int retained, int relays) {
    /** As in all other measurements. */
    public static final Shape USUAL = new Shape(Business.KEYS, false, 0, 1);

    public Shape withKeys(int number) {
        return new Shape(number, hot, retained, relays);
    }

    public Shape withHotKey() {
        return new Shape(keys, true, retained, relays);
    }

    public Shape withRetained(int events) {
        return new Shape(keys, hot, events, relays);
    }

    public Shape withRelays(int number) {
        return new Shape(keys, hot, retained, number);
    }

    /** As the words of a command. */
    public String words() {
        return String.format(Locale.ROOT, "%d %b %d %d", keys, hot, retained, relays);
    }

    static Shape of(String[] words) {
        return new Shape(
                Integer.parseInt(words[1]),
                Boolean.parseBoolean(words[2]),
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]));
    }
}
