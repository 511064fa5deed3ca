package dev.waybill.spi.transaction;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a relay has come, in a form that fits into a record of the destination.
 *
 * @param window the id of a window that the store has saved
 * @param seq the last event of the window, in its order, that is behind the position
 */
public record WindowPosition(UUID window, long seq) {
    private static final Pattern TEXT =
            Pattern.compile("([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}):([0-9]{1,19})");

    /** @return empty if the text is not one of {@link #toString} */
    public static Optional<WindowPosition> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new WindowPosition(UUID.fromString(matcher.group(1)), Long.parseLong(matcher.group(2))));
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return window + ":" + seq;
    }
}
