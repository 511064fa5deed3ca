package dev.waybill.postgres.random;

import dev.waybill.testkit.random.ReadEvent;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The shortest correct reader: events visible in the new snapshot and not in the last one, by seq. It saves nothing, so after a
 * crash it starts over. Each of the broken two-snapshot readers differs from it in one point.
 */
class TwoSnapshotReader extends SqlReader {
    private static final String BEFORE_ALL = "3:3:";

    private String base = BEFORE_ALL;

    TwoSnapshotReader(DataSource dataSource) throws SQLException {
        super(dataSource);
    }

    /** A condition with one parameter, the base. */
    String isNew() {
        return "not pg_visible_in_snapshot(xid, ?::pg_snapshot)";
    }

    @Override
    public final boolean readSome(Consumer<ReadEvent> sink) throws SQLException {
        String target = currentSnapshot();
        boolean some = readRows(
                "pg_visible_in_snapshot(xid, ?::pg_snapshot) and " + isNew() + " order by seq",
                row -> sink.accept(row.event()),
                target,
                base);
        base = target;
        return some;
    }

    @Override
    public final void crashed() throws SQLException {
        super.crashed();
        base = afterCrash(base);
    }

    String afterCrash(String remembered) {
        return BEFORE_ALL;
    }

    /** Broken: a transaction that was in progress in base and committed later is in no window. */
    static final class WithoutLateTransactions extends TwoSnapshotReader {
        WithoutLateTransactions(DataSource dataSource) throws SQLException {
            super(dataSource);
        }

        @Override
        String isNew() {
            return "xid >= pg_snapshot_xmax(?::pg_snapshot)";
        }
    }

    /** Broken: after a crash the server assigns xids again to new transactions, which the old base counts as read. */
    static final class WithMemoryAcrossCrashes extends TwoSnapshotReader {
        WithMemoryAcrossCrashes(DataSource dataSource) throws SQLException {
            super(dataSource);
        }

        @Override
        String afterCrash(String remembered) {
            return remembered;
        }
    }
}
