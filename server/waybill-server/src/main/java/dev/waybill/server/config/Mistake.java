package dev.waybill.server.config;

/**
 * A mistake in the file.
 *
 * @param line counted from 1
 * @param path of the key, as in {@code relays.orders.poll.interval}; empty for the file itself
 * @param what is wrong and what to do; never a secret
 */
public record Mistake(int line, String path, String what) {
    @Override
    public String toString() {
        return "line " + line + ": " + (path.isEmpty() ? "" : path + ": ") + what;
    }
}
