package dev.waybill.spring.boot.check;

/**
 * A mistake in the configuration.
 *
 * @param path the key, such as {@code waybill.relays.main.store}
 * @param problem what is wrong and what to do; without values, which may be secrets
 */
public record Mistake(String path, String problem) {
    @Override
    public String toString() {
        return path + ": " + problem;
    }
}
