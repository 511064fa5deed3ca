package dev.waybill.postgres.admin;

import dev.waybill.admin.EventFilter;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The condition of an {@link EventFilter} in statements. */
final class FilterSql {
    private FilterSql() {}

    /** A viewer may not read this column, so it is named only if the filter has a value for it: see {@link #withoutUnused}. */
    private static final String AGGREGATE_ID_MATCHES = "coalesce(e.aggregate_id = ?, true)";

    private static final String KEY_MATCHES =
            "coalesce(coalesce(e.key, e.aggregate_type || ':' || e.aggregate_id) = ?, true)";

    private static final String HIDDEN_COLUMNS = ", e.aggregate_id, e.key";

    /** The columns that {@link #MATCHES} reads. */
    static final String COLUMNS = "e.id, e.type, e.aggregate_type, e.created_at" + HIDDEN_COLUMNS;

    /** The aggregate's id in an answer. */
    static final String SHOWN_AGGREGATE_ID = "e.aggregate_id as shown_aggregate_id";

    private static final String MAY_READ_AGGREGATE_ID =
            "select has_column_privilege('waybill.event', 'aggregate_id', 'select')";

    /** A statement with {@link #SHOWN_AGGREGATE_ID}, without the column if the role may not read it. */
    static String withWhatIsShown(JournalConnection connection, String sql) throws SQLException {
        return connection.one(MAY_READ_AGGREGATE_ID, row -> row.getBoolean(1))
                ? sql
                : sql.replace(SHOWN_AGGREGATE_ID, "null as shown_aggregate_id");
    }

    /** Whether a filter matches event {@code e}; the parameters are {@link #values}. */
    static final String MATCHES = """
            coalesce(e.type = ?, true) and coalesce(e.aggregate_type = ?, true)
             and %s and %s
             and coalesce(e.created_at >= ?, true) and coalesce(e.created_at < ?, true)""".formatted(AGGREGATE_ID_MATCHES, KEY_MATCHES);

    /** A statement with {@link #MATCHES}, without the hidden columns that the filter has no values for. */
    static String withoutUnused(String sql, EventFilter filter) {
        String asked = filter.aggregateId().isPresent() ? sql : sql.replace(AGGREGATE_ID_MATCHES, "?::text is null");
        if (filter.key().isEmpty()) {
            asked = asked.replace(KEY_MATCHES, "?::text is null");
        }
        return filter.aggregateId().isEmpty() && filter.key().isEmpty() ? asked.replace(HIDDEN_COLUMNS, "") : asked;
    }

    /** The parameters of {@link #MATCHES}; null where the filter has no value. */
    static List<@Nullable Object> values(EventFilter filter) {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(filter.type().orElse(null));
        values.add(filter.aggregateType().orElse(null));
        values.add(filter.aggregateId().orElse(null));
        values.add(filter.key().orElse(null));
        values.add(SqlArgument.time(filter.from().map(FilterSql::micros).orElse(null)));
        values.add(SqlArgument.time(filter.until().map(FilterSql::micros).orElse(null)));
        return values;
    }

    /** Rounds up to microseconds, the resolution of the database. */
    private static Instant micros(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return micros.equals(time) ? micros : micros.plus(1, ChronoUnit.MICROS);
    }
}
