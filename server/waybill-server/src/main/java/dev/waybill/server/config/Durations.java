package dev.waybill.server.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: a whole number and a unit, less than 300 years, which still fit in nanoseconds. */
public final class Durations {
    private static final Pattern WRITTEN =
            Pattern.compile("(?=\\d{1,9}m?s|\\d{1,8}m|\\d{1,6}h|\\d{1,5}d)(\\d+)(ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("d", ChronoUnit.DAYS);
        UNITS.put("h", ChronoUnit.HOURS);
        UNITS.put("m", ChronoUnit.MINUTES);
        UNITS.put("s", ChronoUnit.SECONDS);
        UNITS.put("ms", ChronoUnit.MILLIS);
    }

    private Durations() {}

    public static Optional<Duration> parse(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long number = Long.parseLong(matcher.group(1));
        return Optional.ofNullable(UNITS.get(matcher.group(2)))
                .map(unit -> unit.getDuration().multipliedBy(number));
    }

    /** In the largest unit that is exact. */
    static String written(Duration duration) {
        for (Map.Entry<String, ChronoUnit> unit : UNITS.entrySet()) {
            long length = unit.getValue().getDuration().toMillis();
            if (duration.toMillis() >= length && duration.toMillis() % length == 0) {
                return duration.toMillis() / length + unit.getKey();
            }
        }
        return duration.toMillis() + "s";
    }
}
