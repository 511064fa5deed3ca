package dev.waybill.table.rows;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Converts instants to the time columns of a layout: local times in the layout's zone, or the database's type for instants.
 * MariaDB returns those in the session's zone, which is UTC.
 *
 * <p>A row may have any time that the database can store, such as infinity, a year before Christ, or MariaDB's zero date. Times
 * beyond the microseconds of a {@code long} are read as the first or the last of them, and these are written as the lowest or
 * the highest value of the database.
 */
public final class TableTimes {
    private static final Instant LOWEST = instant(Long.MIN_VALUE);
    private static final Instant HIGHEST = instant(Long.MAX_VALUE);
    private static final long MICROS = 1_000_000;

    static final DateTimeFormatter LITERAL = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private final boolean mariaDb;
    private final @Nullable ZoneId local;

    public TableTimes(TableLayout layout, TableDialect dialect) {
        this.mariaDb = dialect == TableDialect.MARIADB;
        ZoneId instants = mariaDb ? ZoneOffset.UTC : null;
        this.local = layout.zone().isPresent() ? layout.zone().get() : instants;
    }

    /** The value for {@code setObject}. */
    public Object bind(Instant instant) {
        if (mariaDb) {
            return MariaDbTimes.bind(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
        }
        if (!instant.isAfter(LOWEST)) {
            return local == null ? OffsetDateTime.MIN : LocalDateTime.MIN;
        }
        if (!instant.isBefore(HIGHEST)) {
            return local == null ? OffsetDateTime.MAX : LocalDateTime.MAX;
        }
        return local == null
                ? OffsetDateTime.ofInstant(instant, ZoneOffset.UTC)
                : LocalDateTime.ofInstant(instant, local);
    }

    /** The value as SQL text. */
    public String literal(Instant instant) {
        return local == null
                ? "timestamp with time zone '" + LITERAL.format(instant.atOffset(ZoneOffset.UTC)) + "+00:00'"
                : "timestamp '" + LITERAL.format(instant.atZone(local)) + "'";
    }

    public Object bindMicros(long micros) {
        return bind(instant(micros));
    }

    public @Nullable Instant read(ResultSet row, int column) throws SQLException {
        if (local == null) {
            OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
            return time == null ? null : within(time.toInstant());
        }
        LocalDateTime time = mariaDb ? MariaDbTimes.read(row, column) : row.getObject(column, LocalDateTime.class);
        return time == null ? null : within(time.atZone(local).toInstant());
    }

    private static Instant within(Instant time) {
        return instant(micros(time));
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** The lowest or highest number for times beyond them. */
    public static long micros(Instant instant) {
        try {
            return Math.addExact(
                    Math.multiplyExact(instant.getEpochSecond(), MICROS), (long) instant.getNano() / 1_000);
        } catch (ArithmeticException beyond) {
            return instant.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }
}
