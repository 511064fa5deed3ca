package dev.waybill.postgres;

import dev.waybill.admin.EventFilter;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The values of {@link PostgresListingSql#MATCHES}; null where the filter does not care. */
final class FilterValues {
    private FilterValues() {}

    /** @return the number of the next parameter */
    static int bind(PreparedStatement statement, int first, EventFilter filter) throws SQLException {
        statement.setString(first, filter.type().orElse(null));
        statement.setString(first + 1, filter.aggregateType().orElse(null));
        statement.setString(first + 2, filter.aggregateId().orElse(null));
        statement.setString(first + 3, filter.key().orElse(null));
        statement.setTimestamp(
                first + 4, filter.from().map(FilterValues::timestamp).orElse(null));
        statement.setTimestamp(
                first + 5, filter.until().map(FilterValues::timestamp).orElse(null));
        return first + 6;
    }

    /** Upwards to whole microseconds, which is what the database keeps. */
    private static Timestamp timestamp(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return Timestamp.from(micros.equals(time) ? micros : micros.plus(1, ChronoUnit.MICROS));
    }
}
