package dev.waybill.postgres.relay;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes that share the relays of a journal, in {@code waybill.process}. */
public record JournalProcesses(DataSource dataSource) implements ProcessRegister {
    private static final String LIVE = """
            select p.id, p.beat, p.held, p.relays from waybill.process p
             where p.until > clock_timestamp() order by p.id""";

    @Override
    public List<Entry> processes() {
        return JournalConnection.once(dataSource, "listing processes", JournalProcesses::live);
    }

    private static List<Entry> live(JournalConnection connection) throws SQLException {
        return connection.query(
                LIVE, row -> new Entry(new OwnerId(row.getString(1)), row.getLong(2), row.getInt(3), relays(row)));
    }

    private static Set<RelayName> relays(ResultSet row) throws SQLException {
        return Stream.of((String[]) row.getArray(4).getArray())
                .map(RelayName::new)
                .collect(Collectors.toSet());
    }

    @Override
    public Registration register() {
        return new OverConnection(dataSource);
    }

    private static final class OverConnection implements Registration {
        private static final Logger log = LoggerFactory.getLogger(JournalProcesses.class);

        /** A crash of the server ends the connection, and then all is announced again. */
        private static final String DO_NOT_FLUSH = "set synchronous_commit = off";

        private static final String FORGET_OLD =
                "delete from waybill.process where until < clock_timestamp() - interval '1 hour'";

        private static final String ANNOUNCE = """
                insert into waybill.process (id, beat, held, relays, until)
                values (?, ?, ?, ?, clock_timestamp() + ? * interval '1 millisecond')
                on conflict (id) do update
                   set beat = excluded.beat, held = excluded.held, relays = excluded.relays, until = excluded.until""";

        private static final String HOLDERS = """
                select l.relay, l.owner from waybill.lease l
                 where l.owner is not null and l.lease_until >= clock_timestamp()""";

        private static final String REMOVE = "delete from waybill.process where id = ?";

        private static final int SHORTEST_WAIT_MILLIS = 500;

        private final DataSource dataSource;
        private @Nullable JournalConnection connection;
        private @Nullable OwnerId announced;

        OverConnection(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Override
        public void announce(Entry own, Duration validFor) {
            announced = own.process();
            on("announcing this process", open -> {
                open.waitForAnswers((int) Math.max(SHORTEST_WAIT_MILLIS, validFor.toMillis()));
                return open.update(
                        ANNOUNCE,
                        own.process().value(),
                        own.beat(),
                        own.held(),
                        open.array(
                                "text",
                                own.relays().stream().map(RelayName::value).toArray()),
                        validFor.toMillis());
            });
        }

        @Override
        public Reading read() {
            return on("reading which processes run its relays", open -> {
                Map<RelayName, OwnerId> holders = new HashMap<>();
                open.each(HOLDERS, row -> holders.put(new RelayName(row.getString(1)), new OwnerId(row.getString(2))));
                return new Reading(live(open), holders);
            });
        }

        private <R> R on(String what, StoreConnection.Work<JournalConnection, R> work) {
            try {
                JournalConnection open = connection;
                if (open == null) {
                    open = JournalConnection.open(dataSource);
                    connection = open;
                    open.execute(DO_NOT_FLUSH);
                    open.update(FORGET_OLD);
                }
                return work.on(open);
            } catch (SQLException e) {
                disconnect();
                throw JournalConnection.failed(what, e);
            }
        }

        private void disconnect() {
            JournalConnection open = connection;
            connection = null;
            if (open != null) {
                open.cut();
                open.closeQuietly();
            }
        }

        @Override
        public void close() {
            JournalConnection open = connection;
            OwnerId own = announced;
            connection = null;
            if (open == null) {
                return;
            }
            try {
                if (own != null) {
                    open.update(REMOVE, own.value());
                }
            } catch (SQLException e) {
                log.info("The announcement of this process was not removed ({}); it expires.", e.getMessage());
            } finally {
                open.closeQuietly();
            }
        }
    }
}
