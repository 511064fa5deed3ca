package dev.waybill.table.relay;

import dev.waybill.admin.ReplayQuery;
import dev.waybill.jdbc.kernel.TimeBisection;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableNumbers;
import dev.waybill.table.rows.TablePosition;
import dev.waybill.table.rows.TableTimes;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The part of an outbox table that contains all rows of a replay. Rows appended later have a higher number or time and are not
 * part of it. A row whose transaction was open at the start is part of it if it is committed before the replay reaches its
 * position: the table does not tell.
 *
 * @param start before the first row
 * @param upTo the highest value
 */
record TableReplayRange(TablePosition start, long upTo) {
    private static final String LAST_NUMBER = "select max({sequence}) from {table}";

    private static final String LAST_TIME = "select max({created_at}) from {table}";

    /** How far times may deviate from the order of numbers, since applications write them with their own clocks. */
    private static final Duration SLACK = Duration.ofMinutes(10);

    static TableReplayRange now(TableConnection connection, ReplayQuery query) throws SQLException {
        return connection.layout().has(TableColumn.SEQUENCE) ? numbered(connection, query) : timed(connection, query);
    }

    private static TableReplayRange numbered(TableConnection connection, ReplayQuery query) throws SQLException {
        long last = connection.one(LAST_NUMBER, row -> row.getLong(1));
        TimeBisection times = new TimeBisection(new TableNumbers(connection));
        TablePosition start = query.from().isPresent()
                ? TablePosition.after(times.lastBefore(query.from().get().minus(SLACK), last))
                : TablePosition.START;
        long upTo =
                query.until().isPresent() ? times.lastBefore(query.until().get().plus(SLACK), last) : last;
        return new TableReplayRange(start, upTo);
    }

    private static TableReplayRange timed(TableConnection connection, ReplayQuery query) throws SQLException {
        long upTo = connection
                .one(LAST_TIME, row -> Optional.ofNullable(connection.times().read(row, 1)))
                .map(TableTimes::micros)
                .orElse(TablePosition.START.value());
        if (query.until().isPresent()) {
            upTo = Math.min(upTo, before(query.until().get()).value());
        }
        TablePosition start = query.from().isPresent() ? before(query.from().get()) : TablePosition.START;
        return new TableReplayRange(start, upTo);
    }

    private static TablePosition before(Instant time) {
        return TablePosition.after(TableTimes.micros(time)).before();
    }
}
