package dev.waybill.format;

import java.time.Instant;
import java.time.LocalDate;

/** Instants as ISO-8601 in UTC with microseconds, {@code 2026-11-15T08:30:00.123456Z}, formatted without {@code DateTimeFormatter} for speed. */
final class IsoTime {
    private static final int SECONDS_OF_DAY = 86_400;
    private static final int DATE_LENGTH = 10;
    private static final int LENGTH = 27;
    private static final long FIRST_DAY = LocalDate.of(0, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    /** Cache: the last event was almost always on the same day. Threads may overwrite each other's value without harm. */
    private static volatile Day lastDay = Day.of(0);

    private IsoTime() {}

    static byte[] of(Instant instant) {
        long day = Math.floorDiv(instant.getEpochSecond(), SECONDS_OF_DAY);
        if (day < FIRST_DAY || day > LAST_DAY) {
            return Bytes.ascii(instant.toString());
        }
        byte[] text = new byte[LENGTH];
        System.arraycopy(date(day), 0, text, 0, DATE_LENGTH);
        int second = (int) Math.floorMod(instant.getEpochSecond(), (long) SECONDS_OF_DAY);
        text[10] = 'T';
        put(text, 11, 2, second / 3600);
        text[13] = ':';
        put(text, 14, 2, second / 60 % 60);
        text[16] = ':';
        put(text, 17, 2, second % 60);
        text[19] = '.';
        put(text, 20, 6, instant.getNano() / 1000);
        text[26] = 'Z';
        return text;
    }

    private static byte[] date(long epochDay) {
        Day day = lastDay;
        if (day.epochDay != epochDay) {
            day = Day.of(epochDay);
            lastDay = day;
        }
        return day.text;
    }

    private static void put(byte[] text, int at, int digits, int number) {
        int rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            text[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private record Day(long epochDay, byte[] text) {
        static Day of(long epochDay) {
            return new Day(epochDay, Bytes.ascii(LocalDate.ofEpochDay(epochDay).toString()));
        }
    }
}
