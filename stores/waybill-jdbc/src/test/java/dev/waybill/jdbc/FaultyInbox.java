package dev.waybill.jdbc;

import dev.waybill.Inbox;
import dev.waybill.Transactions;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.inbox.InboxFaultHarness;
import dev.waybill.testkit.EmptyDatabase;
import dev.waybill.testkit.JdbcFaults;
import dev.waybill.testkit.ServerErrors;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An inbox over connections whose calls can be made to fail. */
final class FaultyInbox implements InboxFaultHarness<Connection> {
    private static final String LONG_AGO = "timestamp '2020-01-01 00:00:00'";

    private final InboxDatabase inbox;
    private final EmptyDatabase database;
    private final Connection judge;
    private final InboxLayout layout;
    private final List<String> leftovers = new CopyOnWriteArrayList<>();
    private final JdbcFaults faults;

    /** @param judge does not fail, and is in autocommit */
    FaultyInbox(InboxDatabase inbox, String layout, Connection judge) {
        this.inbox = inbox;
        this.judge = judge;
        this.database = inbox.database;
        this.layout = InboxDatabase.layout(layout);
        this.faults = new JdbcFaults(new CleanConnections(), ServerErrors.of(database.kind()));
        execute("delete from effect");
        execute("delete from waybill_inbox_version");
        execute("delete from " + this.layout.tableName());
    }

    /** Records connections that are returned within a transaction, which the next user would commit. */
    private final class CleanConnections implements JdbcFaults.Source {
        @Override
        public Connection take() throws SQLException {
            return database.kept().take();
        }

        @Override
        public void giveBack(Connection connection) throws SQLException {
            if (!connection.getAutoCommit()) {
                leftovers.add("a connection was returned within a transaction");
            }
            database.kept().giveBack(connection);
        }
    }

    @Override
    public Inbox<Connection> inbox() {
        return inbox.inbox;
    }

    @Override
    public Transactions<Connection> transactions() {
        return JdbcTransactions.on(faults.dataSource());
    }

    @Override
    public void leaveEffect(Connection transaction, String name) throws SQLException {
        try (PreparedStatement insert = transaction.prepareStatement("insert into effect (name) values (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        }
    }

    @Override
    public int effects(String name) {
        try (PreparedStatement select = judge.prepareStatement("select count(*) from effect where name = ?")) {
            select.setString(1, name);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public FaultInjection faults() {
        return faults;
    }

    @Override
    public List<String> leftovers() {
        return leftovers;
    }

    @Override
    public boolean keepsEffectsTogether() {
        return true;
    }

    @Override
    public boolean takesSeveralConsumers() {
        return inbox.takesSeveralConsumers();
    }

    @Override
    public boolean guardsVersions() {
        return true;
    }

    @Override
    public void giveUpTheDead() {
        throw new AssertionError("No wait is needed after a crash: a transaction ends with its connection.");
    }

    @Override
    public void makeOld() {
        String time = layout.form() == InboxLayout.Form.WAYBILL ? "handled_at" : "processed_at";
        execute("update " + layout.tableName() + " set " + time + " = " + LONG_AGO);
    }

    private void execute(String sql) {
        try (Statement statement = judge.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {}
}
