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
 */
public final class TableTimes {
    private static final DateTimeFormatter LITERAL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

    private final @Nullable ZoneId local;

    public TableTimes(TableLayout layout, TableDialect dialect) {
        ZoneId instants = dialect == TableDialect.MARIADB ? ZoneOffset.UTC : null;
        this.local = layout.zone().isPresent() ? layout.zone().get() : instants;
    }

    /** The value for {@code setObject}. */
    public Object bind(Instant instant) {
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
            return time == null ? null : time.toInstant();
        }
        LocalDateTime time = row.getObject(column, LocalDateTime.class);
        return time == null ? null : time.atZone(local).toInstant();
    }

    public static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    public static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }
}
