package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.postgres.journal.Durability;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalInspection;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.postgres.relay.JournalPosition.Point;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.RelayDroppedException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Creates the rows of a relay that is opened for the first time. */
record RelayRegistration(JournalConnection connection, RelayName relay) {
    private static final String FIND = """
            select r.name is not null as known, l.relay is not null as has_lease, q.relay is not null as replay, d.at, d.who, d.why
              from (select ?::text as name) x
              left join waybill.relay r on r.name = x.name
              left join waybill.lease l on l.relay = x.name
              left join waybill.replay q on q.relay = x.name
              left join waybill.dropped d on d.relay = x.name""";

    /** One statement, so that a crash leaves all rows or none. */
    private static final String CREATE = """
            with made as (
                insert into waybill.relay (name, system_id, base, base_next, base_floor, seq)
                select x.name, ?, ?::pg_snapshot, ?::xid8, ?, 0 from (select ?::text as name) x
                 where not exists (select from waybill.dropped d where d.relay = x.name)
                on conflict (name) do nothing returning name)
            insert into waybill.lease (relay) select name from made""";

    /** For a relay whose row was written by other means, such as a restore of some tables. */
    private static final String ADD_LEASE =
            "insert into waybill.lease (relay) values (?) on conflict (relay) do nothing";

    /** Throws if the relay was dropped, or if its name is that of a replay. */
    void requireOrCreate(String systemId, JournalSettings settings) throws SQLException {
        boolean known = connection.one(FIND, this::isKnown, relay.value());
        if (!known) {
            create(systemId, settings);
        }
    }

    private boolean isKnown(ResultSet row) throws SQLException {
        if (row.getBoolean("replay")) {
            throw JournalInspection.refusal(
                    relay,
                    "its name is that of a replay, which publishes only the events it was started for",
                    "Give this relay another name, or drop the replay.");
        }
        if (row.getBoolean("known")) {
            if (!row.getBoolean("has_lease")) {
                connection.update(ADD_LEASE, relay.value());
            }
            return true;
        }
        if (row.getTimestamp("at") != null) {
            throw dropped(row.getString("who"), row.getTimestamp("at").toInstant(), row.getString("why"));
        }
        return false;
    }

    private RelayDroppedException dropped(String who, Instant at, String why) {
        String refusal = JournalInspection.refusalText(
                relay,
                who + " dropped it at " + at + " (" + why + ")",
                "Remove it from the configuration of this process. To start it again on purpose:"
                        + " `waybill relay restore " + relay + "` or StoreAdmin.restore.");
        return new RelayDroppedException(refusal, who, why);
    }

    private void create(String systemId, JournalSettings settings) throws SQLException {
        Point base = JournalPosition.BEGINNING.base();
        if (settings.startNow()) {
            try {
                long noEpoch = 0;
                base = new Poller(connection, relay, noEpoch, Durability.VISIBLE)
                        .poll(settings.clock().instant(), new DueFloor())
                        .point();
            } catch (LeaseLostException e) {
                // Another process has created the relay meanwhile; its position counts.
                return;
            }
        }
        connection.update(
                CREATE,
                systemId,
                SqlArgument.other(base.snapshot().toString()),
                SqlArgument.xid(base.next()),
                base.floor(),
                relay.value());
    }
}
