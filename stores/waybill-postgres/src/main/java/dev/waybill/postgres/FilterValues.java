package dev.waybill.postgres;

import dev.waybill.admin.EventFilter;
import dev.waybill.jdbc.kernel.SqlArgument;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of {@link PostgresListingSql#MATCHES}; null where the filter does not care. */
final class FilterValues {
    private FilterValues() {}

    static List<@Nullable Object> of(EventFilter filter) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(filter.type().orElse(null));
        values.add(filter.aggregateType().orElse(null));
        values.add(filter.aggregateId().orElse(null));
        values.add(filter.key().orElse(null));
        values.add(SqlArgument.time(filter.from().map(FilterValues::micros).orElse(null)));
        values.add(SqlArgument.time(filter.until().map(FilterValues::micros).orElse(null)));
        return values;
    }

    /** Upwards to whole microseconds, which is what the database keeps. */
    private static Instant micros(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return micros.equals(time) ? micros : micros.plus(1, ChronoUnit.MICROS);
    }
}
