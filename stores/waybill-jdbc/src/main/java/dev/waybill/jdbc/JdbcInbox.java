package dev.waybill.jdbc;

import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.PurgeableInbox;
import dev.waybill.admin.Finding;
import dev.waybill.admin.PurgeStep;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.jdbc.kernel.Statements.Row;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.TransactionConflictException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An inbox in the database of the effects, on PostgreSQL, MariaDB or H2. The event's id is written first, in the
 * effect's own transaction: whoever comes with the same id waits for that transaction and finds it, or finds nothing when it
 * was rolled back. Safe for use by many threads.
 *
 * <p>It works as well inside a listener of somebody else's framework: call {@link #handleOnce} with the connection of the
 * transaction that the listener runs in, and acknowledge the message after the commit.
 */
public final class JdbcInbox implements PurgeableInbox<Connection> {
    private static final int MAX_CONSUMER = 100;
    private static final int MAX_KEY = 255;

    private final InboxLayout layout;
    private final TableDialect dialect;
    private final InboxSql sql;

    private JdbcInbox(InboxLayout layout, TableDialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
        this.sql = new InboxSql(layout, dialect);
    }

    /**
     * @param connection tells which database it is; not kept
     */
    public static JdbcInbox of(InboxLayout layout, Connection connection) throws SQLException {
        return new JdbcInbox(layout, TableDialect.of(connection));
    }

    /** Creates the tables and indexes that are missing. */
    public void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : sql.create) {
                statement.execute(each);
            }
        }
    }

    /** What {@link #create} runs, for those who keep their schema with Flyway or Liquibase. */
    public String script() {
        return String.join(";\n\n", sql.create) + ";\n";
    }

    @Override
    public <E extends Exception> Outcome handleOnce(
            Connection transaction, String consumer, Incoming event, Effect<Connection, E> effect) throws E {
        Outcome outcome = record(transaction, consumer, event);
        if (outcome instanceof Outcome.Handled) {
            effect.apply(LentConnection.of(transaction));
            requireMark(transaction, consumer, event);
        }
        return outcome;
    }

    @Override
    public <E extends Exception> List<Outcome> handleAll(
            Connection transaction, String consumer, List<Incoming> events, EffectOfOne<Connection, E> effect)
            throws E {
        if (sql.markAll.isEmpty()
                || events.stream().anyMatch(event -> event.version().isPresent())) {
            return PurgeableInbox.super.handleAll(transaction, consumer, events, effect);
        }
        Connection lent = LentConnection.of(transaction);
        Set<String> fresh = recordAll(transaction, consumer, events, sql.markAll.get());
        List<Outcome> outcomes = new ArrayList<>(events.size());
        for (int i = 0; i < events.size(); i++) {
            // Removed, because the same event may be among them twice.
            if (fresh.remove(events.get(i).eventId())) {
                effect.apply(lent, i);
                outcomes.add(Outcome.HANDLED);
            } else {
                outcomes.add(Outcome.DUPLICATE);
            }
        }
        // One tells of all: they were written together, before anything a handler could roll back to.
        int one = outcomes.indexOf(Outcome.HANDLED);
        if (one >= 0) {
            requireMark(transaction, consumer, events.get(one));
        }
        return outcomes;
    }

    /**
     * @return the ids that were new
     */
    private Set<String> recordAll(Connection transaction, String consumer, List<Incoming> events, String statement) {
        requireConsumer(consumer);
        Map<String, String> givenBy = new HashMap<>();
        for (Incoming event : events) {
            requireToFit(event);
            givenBy.put(layout.idOf(event.eventId()).toString(), event.eventId());
        }
        boolean uuids = layout.form() == InboxLayout.Form.PROCESSED_EVENTS;
        try {
            requireTransaction(transaction);
            Array ids = transaction.createArrayOf(
                    uuids ? "uuid" : "varchar", givenBy.keySet().toArray());
            Statements statements = Statements.on(transaction);
            Row<String> inserted = row -> Objects.requireNonNull(givenBy.get(row.getString(1)));
            return new HashSet<>(
                    uuids
                            ? statements.query(statement, inserted, ids)
                            : statements.query(statement, inserted, consumer, ids));
        } catch (SQLException e) {
            throw failed(events.size() + " events", consumer, e);
        }
    }

    private void requireConsumer(String consumer) {
        layout.requireConsumer(consumer);
        if (consumer.isBlank() || consumer.length() > MAX_CONSUMER) {
            throw new InvalidEventException(
                    "A consumer's name has 1 to " + MAX_CONSUMER + " characters, not " + consumer.length() + ".");
        }
    }

    private InboxException failed(String what, String consumer, SQLException e) {
        return new InboxException(
                "Could not record " + what + " of consumer " + consumer + " in " + layout.tableName() + " (SQLSTATE "
                        + e.getSQLState() + "). Roll the transaction back; what was not recorded may be handled again.",
                ServerError.withoutRows(e));
    }

    /** Some servers cut what is too long, and then two would be one. */
    private void requireToFit(Incoming event) {
        String entity = event.version().map(EntityVersion::entity).orElse("");
        if (event.eventId().length() > MAX_KEY || entity.length() > MAX_KEY) {
            throw new InvalidEventException("The table " + layout.tableName()
                    + " takes event ids and entities of up to "
                    + MAX_KEY + " characters, and these have " + event.eventId().length() + " and " + entity.length()
                    + ".");
        }
    }

    private Outcome record(Connection transaction, String consumer, Incoming event) {
        requireConsumer(consumer);
        requireToFit(event);
        try {
            requireTransaction(transaction);
            if (!mark(transaction, consumer, event)) {
                return Outcome.DUPLICATE;
            }
            return event.version().isPresent()
                    ? advance(transaction, consumer, event.version().get())
                    : Outcome.HANDLED;
        } catch (SQLException e) {
            throw failed("event " + event.eventId(), consumer, e);
        }
    }

    private static void requireTransaction(Connection transaction) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new NoTransactionException(
                    "The connection is in autocommit, so the event would be recorded without its"
                            + " effect. Call setAutoCommit(false), handle the event on the same connection, then commit.");
        }
    }

    private boolean mark(Connection transaction, String consumer, Incoming event) throws SQLException {
        List<@Nullable Object> arguments = key(consumer, event);
        if (layout.form() == InboxLayout.Form.CONSUMER_GROUPS) {
            Optional<EntityVersion> version = event.version();
            arguments.add(version.map(EntityVersion::entity).orElse(null));
            arguments.add(SqlArgument.number(version.map(EntityVersion::version).orElse(null)));
        }
        return inserts(transaction, sql.mark, arguments.toArray());
    }

    private List<@Nullable Object> key(String consumer, Incoming event) {
        List<@Nullable Object> key = new ArrayList<>();
        if (layout.consumerColumn().isPresent()) {
            key.add(consumer);
        }
        key.add(layout.idOf(event.eventId()));
        return key;
    }

    /**
     * MariaDB and H2 roll the whole transaction back after a deadlock, MariaDB after a timeout too if so configured, and a
     * handler may go on after that, or have sent a rollback as a text: what it did then would be kept without the mark.
     */
    private void requireMark(Connection transaction, String consumer, Incoming event) {
        String what = "event " + event.eventId();
        try {
            if (isMarked(transaction, consumer, event)) {
                return;
            }
        } catch (SQLException e) {
            throw failed(what, consumer, e);
        }
        throw markGone(what, consumer);
    }

    /**
     * PostgreSQL may keep a plan from when the table was empty, and would read all of it each time. A second insert, which does
     * nothing where the mark is, goes by the primary key whatever the plan; where it is not, the transaction is rolled back.
     */
    private boolean isMarked(Connection transaction, String consumer, Incoming event) throws SQLException {
        return dialect == TableDialect.POSTGRESQL
                ? !mark(transaction, consumer, event)
                : Statements.on(transaction)
                        .exists(sql.marked, key(consumer, event).toArray());
    }

    private static TransactionConflictException markGone(String what, String consumer) {
        return new TransactionConflictException(
                "The transaction was rolled back while consumer " + consumer + " handled "
                        + what
                        + ", and its handler went on: after a deadlock or a timeout a handler must let the exception through,"
                        + " and it must not send a rollback itself. Roll back what it did since; it is to be handled again.");
    }

    private boolean inserts(Connection transaction, String statement, @Nullable Object... arguments)
            throws SQLException {
        try {
            return Statements.on(transaction).update(statement, arguments) == 1;
        } catch (SQLException e) {
            if (dialect != TableDialect.POSTGRESQL && SqlFailure.of(e) == SqlFailure.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    /** The row of the entity is locked from here on, so its versions are compared one after the other. */
    private Outcome advance(Connection transaction, String consumer, EntityVersion version) throws SQLException {
        Optional<Long> last = lastVersion(transaction, consumer, version);
        if (last.isEmpty()) {
            if (write(transaction, sql.firstVersion, consumer, version)) {
                return Outcome.HANDLED;
            }
            last = lastVersion(transaction, consumer, version);
        }
        Outcome outcome = Outcome.ofVersion(last.map(OptionalLong::of).orElse(OptionalLong.empty()), version.version());
        if (outcome instanceof Outcome.Handled) {
            write(transaction, sql.nextVersion, consumer, version);
        }
        return outcome;
    }

    private Optional<Long> lastVersion(Connection transaction, String consumer, EntityVersion version)
            throws SQLException {
        return Statements.on(transaction).first(sql.lastVersion, row -> row.getLong(1), consumer, version.entity());
    }

    private boolean write(Connection transaction, String statement, String consumer, EntityVersion version)
            throws SQLException {
        return inserts(transaction, statement, version.version(), consumer, version.entity());
    }

    /** Looks the inbox's tables over: whether they are there, and whether they tell keys apart. */
    public List<Finding> examine(DataSource dataSource) {
        return Examination.of(
                dataSource, examination -> new InboxCheckup(examination, layout, dialect, sql.keys).look());
    }

    @Override
    public Duration replayWindow() {
        return layout.replayWindow();
    }

    /**
     * {@inheritDoc}
     *
     * @param connection in autocommit, or the transaction is the caller's to commit
     */
    @Override
    public PurgeStep purge(Connection connection, String consumer, Duration olderThan, int atMost) {
        requireConsumer(consumer);
        if (olderThan.compareTo(layout.replayWindow()) < 0) {
            throw new IllegalArgumentException("The inbox is to forget what is older than " + olderThan
                    + ", but events may come again for " + layout.replayWindow()
                    + ": their effects would happen twice. Keep it longer, or shorten InboxLayout.replayWindow.");
        }
        List<Object> arguments = new ArrayList<>();
        if (layout.consumerColumn().isPresent()) {
            arguments.add(consumer);
        }
        arguments.addAll(List.of(olderThan.toMillis(), atMost));
        try {
            int deleted = Statements.on(connection).update(sql.purge, arguments.toArray());
            return new PurgeStep(deleted, deleted == atMost);
        } catch (SQLException e) {
            throw new InboxException(
                    "Could not delete old rows of consumer " + consumer + " in " + layout.tableName() + " (SQLSTATE "
                            + e.getSQLState() + "). Roll the transaction back and try again.",
                    ServerError.withoutRows(e));
        }
    }
}
