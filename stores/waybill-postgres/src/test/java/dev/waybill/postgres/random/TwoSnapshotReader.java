package dev.waybill.postgres.random;

import dev.waybill.testkit.random.ReadEvent;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The definition of the right reader, as short as it can be: what the new snapshot sees and the last one did not, by seq.
 * It saves nothing, so after a crash it begins anew. The broken two-snapshot readers differ from it in one thing each.
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

    /** Broken: what was in progress in base and committed later is in no window. */
    static final class WithoutLateTransactions extends TwoSnapshotReader {
        WithoutLateTransactions(DataSource dataSource) throws SQLException {
            super(dataSource);
        }

        @Override
        String isNew() {
            return "xid >= pg_snapshot_xmax(?::pg_snapshot)";
        }
    }

    /** Broken: after a crash the server gives xids again to new transactions, and the old base says they are known. */
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
