package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Events that the relay reads again after it has parked or given them up, because no position behind them was committed by its
 * destination. They are left out, whatever operators have done with them since: the parked row decides.
 */
final class AlreadyDecided {
    private static final String HIGHEST = """
            select greatest(
                (select p.seq from waybill.parked p where p.relay = ? order by p.seq desc limit 1),
                (select d.seq from waybill.discarded d where d.relay = ? order by d.seq desc limit 1))""";

    private static final String AMONG = """
            select p.seq from waybill.parked p where p.relay = ? and p.seq = any (?)
            union all
            select d.seq from waybill.discarded d where d.relay = ? and d.seq = any (?)""";

    private final JournalConnection connection;
    private final RelayName relay;
    /** Events with higher seqs were not read before. */
    private long highest;

    AlreadyDecided(JournalConnection connection, RelayName relay) {
        this.connection = connection;
        this.relay = relay;
    }

    /** Called before events are read again. */
    void load() throws SQLException {
        highest = connection.one(HIGHEST, row -> row.getLong(1), relay.value(), relay.value());
    }

    List<JournalRow> without(List<JournalRow> rows) throws SQLException {
        Set<Long> before = among(rows);
        return before.isEmpty()
                ? rows
                : rows.stream().filter(row -> !before.contains(row.seq)).toList();
    }

    private Set<Long> among(List<JournalRow> rows) throws SQLException {
        Object[] seqs =
                rows.stream().map(row -> row.seq).filter(seq -> seq <= highest).toArray();
        if (seqs.length == 0) {
            return Set.of();
        }
        java.sql.Array array = connection.array("bigint", seqs);
        return new HashSet<>(
                connection.query(AMONG, row -> row.getLong(1), relay.value(), array, relay.value(), array));
    }
}
