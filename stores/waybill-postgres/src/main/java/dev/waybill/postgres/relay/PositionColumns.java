package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.Snapshot;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.relay.JournalPosition.Point;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The columns of a {@link JournalPosition}, in this order: base, its next xid and floor; target, its next xid and floor; high; seq. */
final class PositionColumns {
    private PositionColumns() {}

    /** Snapshots and xids must be selected as text. */
    static JournalPosition read(ResultSet row, int first) throws SQLException {
        Point base = new Point(
                Snapshot.parse(row.getString(first)), Long.parseLong(row.getString(first + 1)), row.getLong(first + 2));
        @Nullable String target = row.getString(first + 3);
        if (target == null) {
            return JournalPosition.atEndOf(base);
        }
        String next = Objects.requireNonNull(row.getString(first + 4), "target_next");
        Point reached = new Point(Snapshot.parse(target), Long.parseLong(next), row.getLong(first + 5));
        return new JournalPosition(base, reached, row.getLong(first + 6), row.getLong(first + 7));
    }

    /** Arguments of a statement, followed by others. */
    static @Nullable Object[] arguments(JournalPosition position, @Nullable Object... others) {
        Point base = position.base();
        @Nullable Point target = position.target();
        List<@Nullable Object> arguments = new ArrayList<>(Arrays.<@Nullable Object>asList(
                SqlArgument.other(base.snapshot().toString()),
                SqlArgument.xid(base.next()),
                base.floor(),
                SqlArgument.other(target == null ? null : target.snapshot().toString()),
                SqlArgument.other(target == null ? null : Long.toString(target.next())),
                SqlArgument.number(target == null ? null : target.floor()),
                SqlArgument.number(target == null ? null : position.high()),
                position.seq()));
        arguments.addAll(Arrays.asList(others));
        return arguments.toArray();
    }
}
