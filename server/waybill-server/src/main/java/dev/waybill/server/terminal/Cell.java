package dev.waybill.server.terminal;

import dev.waybill.spi.Printable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** A cell of a table, without control characters. */
public record Cell(String text, Tone tone) {
    private static final String NOTHING = "-";

    public Cell {
        text = Printable.whole(text);
    }

    public static Cell of(String text) {
        return new Cell(text, Tone.PLAIN);
    }

    public static Cell of(Optional<String> text) {
        return of(text.orElse(NOTHING));
    }

    public static Cell number(long number) {
        return of(grouped(number));
    }

    /** A number that should be zero. */
    public static Cell badNumber(long number, Tone ifAny) {
        return new Cell(grouped(number), number == 0 ? Tone.PLAIN : ifAny);
    }

    public static Cell time(Optional<Instant> time) {
        return of(time.map(Cell::time).orElse(NOTHING));
    }

    public static Cell age(Optional<Duration> age) {
        return of(age.map(Cell::age).orElse(NOTHING));
    }

    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /**
     * To the millisecond, in UTC, as {@code --from} and {@code --until} take it. The epoch means that the store does not keep the
     * time.
     */
    public static String time(Instant time) {
        return time.equals(Instant.EPOCH)
                ? NOTHING
                : time.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    public static String age(Duration age) {
        if (age.toSeconds() < 60) {
            return String.format(Locale.ROOT, "%.1f s", age.toMillis() / 1000.0);
        }
        if (age.toHours() < 1) {
            return age.toMinutes() + " min " + age.toSecondsPart() + " s";
        }
        return age.toDays() < 2
                ? age.toHours() + " h " + age.toMinutesPart() + " min"
                : age.toDays() + " d " + age.toHoursPart() + " h";
    }

    /** The text in one line, without control characters. */
    public static String harmless(String text) {
        return Printable.whole(text);
    }

    /** The text cut to a width, with an ellipsis. */
    Cell within(int width) {
        int length = text.codePointCount(0, text.length());
        if (length <= width) {
            return this;
        }
        return new Cell(text.substring(0, text.offsetByCodePoints(0, Math.max(0, width - 1))) + "…", tone);
    }

    int width() {
        return text.codePointCount(0, text.length());
    }
}
