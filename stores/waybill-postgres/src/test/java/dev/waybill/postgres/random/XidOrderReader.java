package dev.waybill.postgres.random;

import dev.waybill.testkit.random.ReadEvent;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Broken: loses nothing, but a transaction that took its xid early and appended late precedes those it followed. */
final class XidOrderReader extends SqlReader {
    private String lastXid = "0";
    private long lastSeq;

    XidOrderReader(DataSource dataSource) throws SQLException {
        super(dataSource);
    }

    @Override
    public boolean readSome(Consumer<ReadEvent> sink) throws SQLException {
        return readRows(
                "(xid, seq) > (?::xid8, ?::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())"
                        + " order by xid, seq limit 500",
                row -> {
                    sink.accept(row.event());
                    lastXid = row.xid();
                    lastSeq = row.seq();
                },
                lastXid,
                String.valueOf(lastSeq));
    }
}
