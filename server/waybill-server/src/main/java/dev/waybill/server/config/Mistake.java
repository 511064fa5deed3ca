package dev.waybill.server.config;

/**
 * Something in the file that cannot be as it is.
 *
 * @param line where it stands, counted from 1
 * @param path of the key, as in {@code relays.orders.poll.interval}; empty for the file itself
 * @param what is wrong and what to do; never a secret
 */
public record Mistake(int line, String path, String what) {
    @Override
    public String toString() {
        return "line " + line + ": " + (path.isEmpty() ? "" : path + ": ") + what;
    }
}
