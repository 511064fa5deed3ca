package dev.waybill.testkit;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.tck.StoreHarness;
import java.sql.Connection;
import java.sql.SQLException;

/** An application's transaction over JDBC. */
public record JdbcTx(Connection connection, Outbox<Connection> outbox) implements StoreHarness.Tx {
    @Override
    public void append(Event... events) {
        outbox.append(connection, events);
    }

    @Override
    public int appendIfAbsent(Event... events) {
        return outbox.appendIfAbsent(connection, events);
    }

    @Override
    public void commit() {
        end(connection::commit);
    }

    @Override
    public void rollback() {
        end(() -> {
            if (!connection.isClosed()) {
                connection.rollback();
            }
        });
    }

    private void end(Ending ending) {
        try (connection) {
            ending.run();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Ending {
        void run() throws SQLException;
    }
}
