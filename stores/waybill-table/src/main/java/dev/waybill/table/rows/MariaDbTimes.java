package dev.waybill.table.rows;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times that MariaDB stores and its driver does not convert: the zero date, days and months of zero, and the year zero. */
final class MariaDbTimes {
    private static final String ZERO = "0000-00-00 00:00:00";
    private static final LocalDateTime HIGHEST = LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000);
    private static final Pattern DATE = Pattern.compile("(\\d{4})-(\\d{2})-.*");

    private MariaDbTimes() {}

    /** The value for {@code setObject}, within what the database can store. */
    static Object bind(LocalDateTime time) {
        if (time.getYear() < 0) {
            return ZERO;
        }
        if (time.getYear() == 0) {
            return TableTimes.LITERAL.format(time);
        }
        return time.isAfter(HIGHEST) ? HIGHEST : time;
    }

    static @Nullable LocalDateTime read(ResultSet row, int column) throws SQLException {
        try {
            LocalDateTime time = row.getObject(column, LocalDateTime.class);
            if (time != null) {
                return time;
            }
        } catch (SQLException e) {
            if (!String.valueOf(e.getSQLState()).startsWith("22")) {
                throw e;
            }
        }
        String text = row.getString(column);
        return text == null ? null : impossible(text);
    }

    /**
     * A date that does not exist is read as the time just before the year or the month that it precedes, and the zero date as
     * the lowest time: that is where the database sorts them.
     */
    private static LocalDateTime impossible(String text) {
        Matcher date = DATE.matcher(text);
        if (text.startsWith("0000-00-00") || !date.matches()) {
            return LocalDateTime.MIN;
        }
        int year = Integer.parseInt(date.group(1));
        int month = Integer.parseInt(date.group(2));
        try {
            boolean noDay = month == 0 || text.startsWith("00", date.end(2) + 1);
            LocalDate first = LocalDate.of(year, Math.max(1, month), 1);
            return (noDay ? first : first.plusMonths(1)).atStartOfDay().minus(1, ChronoUnit.MICROS);
        } catch (DateTimeException e) {
            return LocalDateTime.MIN;
        }
    }
}
