package dev.waybill.postgres.relay;

import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalSql;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.Limits;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Reads the one window of a replay: the events that match its filter and are visible in the snapshot that was taken when it
 * started, along the primary key. No transaction is late in a window whose base is empty.
 */
final class ReplayReader extends JournalReader {
    private static final String PAGE = page(EventPage.COLUMNS);

    private static String page(String columns) {
        return EventPage.orHalted(columns, """
            select %s from waybill.event e join waybill.replay q on q.relay = ?
             where %s
               and e.seq > ? and e.seq <= ? and pg_visible_in_snapshot(e.xid, ?::pg_snapshot)
               and %s
             order by e.seq limit ?""".formatted(columns, EventPage.MAY_READ, JournalSql.REPLAY_MATCHES));
    }

    ReplayReader(JournalConnection connection, Poller poller, JournalPosition start) {
        super(connection, poller, start);
        poller.sequence().requireReached(start);
    }

    @Override
    boolean hasNextWindow() {
        return false;
    }

    @Override
    boolean open(Poller.Poll poll) {
        throw new IllegalStateException("A replay has one window.");
    }

    @Override
    Optional<Page> read(Limits max) throws SQLException {
        Point target = requireTarget();
        long to = upTo(SPAN);
        EventPage page = EventPage.read(connection(), columns -> page(columns, target, max, to), max, row -> 0);
        return moveBehind(page, target, to);
    }

    private PreparedStatement page(String columns, Point target, Limits max, long to) throws SQLException {
        PreparedStatement statement = connection().prepare(columns.equals(EventPage.COLUMNS) ? PAGE : page(columns));
        String relay = poller().relay().value();
        long epoch = poller().epoch();
        Statements.bind(
                statement,
                1,
                relay,
                epoch,
                relay,
                epoch,
                relay,
                from(),
                to,
                SqlArgument.other(target.snapshot().toString()),
                max.events());
        return statement;
    }
}
