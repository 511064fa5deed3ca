package dev.waybill.jdbc;

import dev.waybill.Inbox;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.PurgeableInbox;
import dev.waybill.admin.Finding;
import dev.waybill.admin.PurgeStep;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.layout.TableDialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An inbox in the database of the effects, on PostgreSQL, MariaDB or H2. The event's id is written first, in the effect's
 * transaction: a concurrent transaction with the same id waits for it, and finds the id unless it was rolled back. Needs no
 * connection until it is used. Safe for use by many threads.
 *
 * <p>It also works in a listener of another framework: call {@link #handleOnce} with the connection of the listener's
 * transaction, and acknowledge the message after the commit.
 */
public final class JdbcInbox implements PurgeableInbox<Connection> {
    private final InboxLayout layout;
    private volatile @Nullable DialectInbox lastUsed;

    private JdbcInbox(InboxLayout layout) {
        this.layout = layout;
    }

    public static JdbcInbox of(InboxLayout layout) {
        return new JdbcInbox(layout);
    }

    /** Creates the tables and indexes that are missing. */
    public void create(Connection connection) throws SQLException {
        on(connection).create(connection);
    }

    /** The script that {@link #create} runs, for Flyway or Liquibase. */
    public String script(TableDialect dialect) {
        return new DialectInbox(layout, dialect).script();
    }

    /** Checks the inbox's tables: whether they exist, and whether their collations distinguish all keys. */
    public List<Finding> examine(DataSource dataSource) {
        return Examination.of(
                dataSource, examination -> on(examination.connection()).look(examination));
    }

    @Override
    public <E extends Exception> Inbox.Outcome handleOnce(
            Connection transaction, String consumer, Incoming event, Effect<Connection, E> effect) throws E {
        return used(transaction).handleOnce(transaction, consumer, event, effect);
    }

    @Override
    public <M, E extends Exception> List<Inbox.Outcome> handleAll(
            Connection transaction,
            String consumer,
            List<M> messages,
            Function<? super M, Incoming> incoming,
            EffectOf<Connection, M, E> effect)
            throws E {
        return used(transaction).handleAll(transaction, consumer, messages, incoming, effect);
    }

    @Override
    public Duration replayWindow() {
        return layout.replayWindow();
    }

    /**
     * {@inheritDoc}
     *
     * @param connection in autocommit, or in a transaction that the caller commits
     */
    @Override
    public PurgeStep purge(Connection connection, String consumer, Duration olderThan, int atMost) {
        return used(connection).purge(connection, consumer, olderThan, atMost);
    }

    private DialectInbox used(Connection connection) {
        try {
            return on(connection);
        } catch (SQLException e) {
            throw new InboxException(
                    "The inbox in " + layout.tableName() + " cannot be used (SQLSTATE " + e.getSQLState() + "): "
                            + e.getMessage(),
                    ServerError.withoutRows(e));
        }
    }

    private DialectInbox on(Connection connection) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        DialectInbox inbox = lastUsed;
        if (inbox == null || inbox.dialect() != dialect) {
            inbox = new DialectInbox(layout, dialect);
            lastUsed = inbox;
        }
        return inbox;
    }

    @Override
    public String toString() {
        return layout.toString();
    }
}
