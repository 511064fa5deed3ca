package dev.waybill.postgres;

import dev.waybill.admin.RelayStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The status of a journal's relays. */
final class JournalStatus {
    private JournalStatus() {}

    static List<RelayStatus> of(JournalConnection connection) throws SQLException {
        return connection.query(PostgresAdminSql.RELAYS, JournalStatus::relay);
    }

    private static RelayStatus relay(ResultSet row) throws SQLException {
        boolean live = row.getBoolean("live");
        Optional<RelayStatus.Lease> lease = live
                ? Optional.of(new RelayStatus.Lease(
                        row.getString("owner"),
                        row.getLong("epoch"),
                        row.getTimestamp("lease_until").toInstant()))
                : Optional.empty();
        double perSecond = row.getDouble("per_second");
        return new RelayStatus(
                row.getString("name"),
                lease,
                row.getBoolean("paused"),
                row.getLong("backlog"),
                row.getBoolean("exact"),
                seconds(row, "oldest_seconds"),
                row.getLong("parked"),
                row.getLong("dead"),
                OptionalDouble.of(perSecond),
                live ? Optional.empty() : seconds(row, "unattended_seconds"),
                OptionalLong.of(0));
    }

    private static Optional<Duration> seconds(ResultSet row, String column) throws SQLException {
        double seconds = row.getDouble(column);
        return row.wasNull() ? Optional.empty() : Optional.of(Duration.ofMillis((long) (Math.max(0, seconds) * 1000)));
    }
}
