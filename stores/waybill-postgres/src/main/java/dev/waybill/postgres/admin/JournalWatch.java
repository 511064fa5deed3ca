package dev.waybill.postgres.admin;

import dev.waybill.admin.StoreWatch;
import dev.waybill.jdbc.kernel.KeptConnection;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.relay.JournalProcesses;
import javax.sql.DataSource;

/**
 * Watches a journal over one connection. To connect, to apply the settings and to plan the query of the status takes the server several
 * times as long as the query itself.
 */
final class JournalWatch implements StoreWatch {
    private final KeptConnection<JournalConnection> connection;

    JournalWatch(DataSource dataSource) {
        this.connection = new KeptConnection<>(() -> JournalConnection.open(dataSource));
    }

    @Override
    public Reading read() {
        return connection.on(
                "listing relays", open -> new Reading(JournalStatus.of(open), JournalProcesses.reports(open)));
    }

    @Override
    public void close() {
        connection.close();
    }
}
