package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ReplaySize;
import dev.waybill.admin.ReplayStatus;
import dev.waybill.postgres.journal.JournalAudit;
import dev.waybill.postgres.journal.JournalConnection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a replay once, when it is complete or cancelled, with an audit entry of its counts. */
record ReplayEnding(JournalConnection connection, RelayName replay) {
    /** A replay that has not ended: who cancelled it, and whether events await a retry. */
    private static final String OPEN = """
            select q.cancelled_by, q.cancelled_why, q.who, q.why,
                   exists (select from waybill.parked p where p.relay = q.relay and p.state = 'due')
                       or exists (select from waybill.parked p where p.relay = q.relay and p.state = 'waiting')
              from waybill.replay q where q.relay = ? and q.ended_at is null""";

    /** Events that await a retry. */
    static final String PARKED = """
            ((select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'due')
             + (select count(*) from waybill.parked p where p.relay = q.relay and p.state = 'waiting'))""";

    /** Events that await a retry are not sent any more. */
    private static final String END = """
            update waybill.replay q set ended_at = clock_timestamp(), not_sent = ? + %s, not_sent_exact = ?
             where q.relay = ? and q.ended_at is null""".formatted(PARKED);

    private static final String FORGET_DUE = "delete from waybill.parked where relay = ? and state = 'due'";

    private static final String FORGET_WAITING = "delete from waybill.parked where relay = ? and state = 'waiting'";

    private static final String CANCEL = "select waybill.cancel_replay(?, ?, ?)";

    private static final String END_CANCELLED = "select waybill.end_cancelled_replay(?, ?, ?, ?, ?)";

    /** @param waits whether events await a retry */
    private record Open(Optional<Actor> cancelledBy, Actor by, boolean waits) {}

    /** Called when the session has nothing in flight and found nothing to claim. */
    void endIfOver(JournalSession session) throws SQLException {
        Optional<Open> open = open();
        if (open.isEmpty()) {
            return;
        }
        Optional<Actor> cancelledBy = open.get().cancelledBy();
        if (cancelledBy.isPresent()) {
            session.saveWith(() -> {});
            ReplaySize left = left();
            session.saveWith(() -> end(left, cancelledBy.get(), "replay-cancelled"));
        } else if (session.isComplete() && !open.get().waits()) {
            session.saveWith(() -> end(ReplaySize.NONE, open.get().by(), "replay-through"));
        }
    }

    /** Cancels the replay for an operator. */
    void cancel(Actor by) throws SQLException {
        if (!connection.one(CANCEL, row -> row.getBoolean(1), replay.value(), by.who(), by.why())) {
            return;
        }
        ReplaySize left = left();
        connection.execute(END_CANCELLED, replay.value(), left.events(), left.exact(), by.who(), by.why());
    }

    private Optional<Open> open() throws SQLException {
        return connection.first(
                OPEN,
                row -> {
                    @Nullable String cancelledBy = row.getString(1);
                    return new Open(
                            cancelledBy == null
                                    ? Optional.empty()
                                    : Optional.of(Actor.recorded(cancelledBy, row.getString(2))),
                            Actor.recorded(row.getString(3), row.getString(4)),
                            row.getBoolean(5));
                },
                replay.value());
    }

    /** Counts the events after the saved position. */
    private ReplaySize left() throws SQLException {
        Optional<ReplayStatus> status = JournalReplays.find(connection, replay);
        Optional<ReplayRange> rest = ReplayRange.rest(connection, replay);
        return status.isPresent() && rest.isPresent()
                ? rest.get().count(connection, status.get().query())
                : ReplaySize.NONE;
    }

    private void end(ReplaySize left, Actor by, String action) throws SQLException {
        if (connection.update(END, left.events(), left.exact(), replay.value()) == 1) {
            connection.update(FORGET_DUE, replay.value());
            connection.update(FORGET_WAITING, replay.value());
            new JournalAudit(connection, by, action, replay.value()).write(counts());
        }
    }

    private String counts() throws SQLException {
        return JournalReplays.find(connection, replay)
                .map(status -> status.counts().toString())
                .orElse("");
    }
}
