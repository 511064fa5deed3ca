package dev.waybill.server.cli;

import dev.waybill.server.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/** Times and durations on the command line. */
final class Times {
    static final String FORM = "as 2026-11-15T03:00:00Z, as a day (its beginning in UTC), or as 2h for two hours ago";

    private Times() {}

    static Instant parse(String text, InstantSource clock) {
        return Durations.parse(text).map(ago -> clock.instant().minus(ago)).orElseGet(() -> absolute(text));
    }

    private static Instant absolute(String text) {
        try {
            return text.contains("T")
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeParseException e) {
            throw CommandEndedException.usage("\"" + text + "\" is not a time: write it " + FORM + ".");
        }
    }

    static Duration duration(String text) {
        return Durations.parse(text)
                .orElseThrow(() -> CommandEndedException.usage("\"" + text
                        + "\" is not a duration: write a number and a unit, as 500ms, 30s, 15m, 2h or 30d."));
    }
}
