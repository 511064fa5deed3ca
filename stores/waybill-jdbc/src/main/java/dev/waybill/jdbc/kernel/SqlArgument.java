package dev.waybill.jdbc.kernel;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An argument that needs an SQL type, because its Java type is ambiguous or it may be null. */
public record SqlArgument(@Nullable Object value, int type) {
    /** Text that the server converts to the expected type, such as {@code xid8} or {@code pg_snapshot}. */
    public static SqlArgument other(@Nullable String text) {
        return new SqlArgument(text, Types.OTHER);
    }

    /** A transaction id, for which JDBC has no type. */
    public static SqlArgument xid(long xid) {
        return other(Long.toString(xid));
    }

    public static SqlArgument number(@Nullable Long number) {
        return new SqlArgument(number, Types.BIGINT);
    }

    public static SqlArgument time(@Nullable Instant time) {
        return new SqlArgument(time == null ? null : Timestamp.from(time), Types.TIMESTAMP);
    }

    void bind(PreparedStatement statement, int at) throws SQLException {
        if (value instanceof Timestamp time) {
            statement.setTimestamp(at, time);
        } else {
            statement.setObject(at, value, type);
        }
    }
}
