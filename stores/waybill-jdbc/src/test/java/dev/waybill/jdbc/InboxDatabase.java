package dev.waybill.jdbc;

import dev.waybill.Inbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.tck.inbox.InboxContract;
import dev.waybill.tck.inbox.InboxHarness;
import dev.waybill.testkit.Database;
import dev.waybill.testkit.EmptyDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** An inbox of one layout in a database of one kind, and a table for effects beside it. */
final class InboxDatabase implements InboxHarness<Connection> {
    final TableDialect dialect;
    final EmptyDatabase database;
    final JdbcInbox inbox;
    private final InboxLayout layout;

    private InboxDatabase(TableDialect dialect, EmptyDatabase database, JdbcInbox inbox, InboxLayout layout) {
        this.dialect = dialect;
        this.database = database;
        this.inbox = inbox;
        this.layout = layout;
    }

    static InboxDatabase create(TableDialect dialect, InboxLayout layout) throws SQLException {
        EmptyDatabase database = EmptyDatabase.create(Database.valueOf(dialect.name()));
        try (Connection connection = database.connect()) {
            JdbcInbox inbox = JdbcInbox.of(layout);
            inbox.create(connection);
            inbox.create(connection);
            database.execute("create table effect (name varchar(100) not null)");
            return new InboxDatabase(dialect, database, inbox, layout);
        }
    }

    /** Creates what is missing, as at the start of a service. */
    void createAgain() throws SQLException {
        try (Connection connection = database.connect()) {
            inbox.create(connection);
        }
    }

    /** As in a table of a user. */
    void keepTimesOf(int digits) throws SQLException {
        String time = layout.form() == InboxLayout.Form.WAYBILL ? "handled_at" : "processed_at";
        String type = digits == 0 ? "datetime" : "timestamp(" + digits + ")";
        database.execute("alter table " + layout.tableName()
                + (dialect == TableDialect.MARIADB
                        ? " modify " + time + " " + type + " not null"
                        : " alter column " + time + " set data type timestamp(" + digits + ") with time zone"));
    }

    /** A layout by its name, for the consumer of the contract. */
    static InboxLayout layout(String name) {
        return switch (name) {
            case "waybill" -> InboxLayout.waybill();
            case "processed_events" -> InboxLayout.processedEvents(InboxContract.CONSUMER);
            case "consumer groups" -> InboxLayout.consumerGroups();
            default -> throw new IllegalArgumentException(name);
        };
    }

    @Override
    public Inbox<Connection> inbox() {
        return inbox;
    }

    @Override
    public Connection begin() {
        try {
            return database.begin();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void leaveEffect(Connection transaction, String name) {
        try (PreparedStatement insert = transaction.prepareStatement("insert into effect (name) values (?)")) {
            insert.setString(1, name);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void commit(Connection transaction) {
        try (transaction) {
            transaction.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void rollback(Connection transaction) {
        try (transaction) {
            if (!transaction.isClosed()) {
                transaction.rollback();
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void startOver(Connection transaction) {
        try (Statement statement = transaction.createStatement()) {
            statement.execute("rollback");
            if (dialect == TableDialect.POSTGRESQL) {
                statement.execute("begin");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int effects(String name) {
        try {
            return database.rows("select name from effect where name = '" + name + "'")
                    .size();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean takesSeveralConsumers() {
        return layout.form() != InboxLayout.Form.PROCESSED_EVENTS;
    }

    @Override
    public boolean guardsVersions() {
        return true;
    }

    @Override
    public void close() {}
}
