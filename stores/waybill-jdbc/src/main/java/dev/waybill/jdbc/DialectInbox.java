package dev.waybill.jdbc;

import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransactionException;
import dev.waybill.PurgeableInbox;
import dev.waybill.admin.PurgeStep;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlArgument;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.jdbc.kernel.Statements.Row;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.TransactionConflictException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@link JdbcInbox} on one kind of database. */
final class DialectInbox implements PurgeableInbox<Connection> {
    private static final int MAX_CONSUMER = 100;
    private static final int MAX_KEY = 255;
    /** Of errors in values (22), constraints (23, 44), statements and grants (42), and of unsupported features (0A). */
    private static final Set<String> OF_A_STATEMENT = Set.of("22", "23", "44", "42", "0A");

    private final InboxLayout layout;
    private final TableDialect dialect;
    private final InboxSql sql;
    private volatile @Nullable DescribingColumns described;

    DialectInbox(InboxLayout layout, TableDialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
        this.sql = new InboxSql(layout, dialect);
    }

    TableDialect dialect() {
        return dialect;
    }

    void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String each : sql.create) {
                statement.execute(each);
            }
        }
    }

    String script() {
        return String.join(";\n\n", sql.create) + ";\n";
    }

    @Override
    public <E extends Exception> Outcome handleOnce(
            Connection transaction, String consumer, Incoming event, Effect<Connection, E> effect) throws E {
        Recorded recorded = record(transaction, consumer, event);
        if (recorded.outcome() instanceof Outcome.Handled) {
            effect.apply(LentConnection.of(transaction));
            requireMark(transaction, consumer, event, recorded.mark());
        }
        return recorded.outcome();
    }

    /** @param mark of a handled event */
    private record Recorded(Outcome outcome, Mark mark) {}

    /** @param mark stands for all: they have the same stamp */
    private record RecordedAll(Set<String> fresh, Mark mark) {}

    @Override
    public <M, E extends Exception> List<Outcome> handleAll(
            Connection transaction,
            String consumer,
            List<M> messages,
            Function<? super M, Incoming> incoming,
            EffectOf<Connection, M, E> effect)
            throws E {
        List<Incoming> events = messages.stream().<Incoming>map(incoming).toList();
        if (sql.markAll(DescribingColumns.NONE).isEmpty()
                || events.stream().anyMatch(event -> event.version().isPresent())) {
            return PurgeableInbox.super.handleAll(transaction, consumer, messages, incoming, effect);
        }
        Connection lent = LentConnection.of(transaction);
        RecordedAll recorded = recordAll(transaction, consumer, events);
        List<Outcome> outcomes = new ArrayList<>(events.size());
        for (int i = 0; i < events.size(); i++) {
            // Removed, because the list may contain the same event twice.
            if (recorded.fresh().remove(events.get(i).eventId())) {
                effect.apply(lent, messages.get(i));
                outcomes.add(Outcome.HANDLED);
            } else {
                outcomes.add(Outcome.DUPLICATE);
            }
        }
        // One mark is enough: all were written together, before any savepoint of a handler.
        int one = outcomes.indexOf(Outcome.HANDLED);
        if (one >= 0) {
            requireMark(transaction, consumer, events.get(one), recorded.mark());
        }
        return outcomes;
    }

    private RecordedAll recordAll(Connection transaction, String consumer, List<Incoming> events) {
        requireConsumer(consumer);
        Map<String, Incoming> byId = new LinkedHashMap<>();
        for (Incoming event : events) {
            requireToFit(event);
            byId.put(layout.idOf(event.eventId()).toString(), event);
        }
        try {
            requireTransaction(transaction);
            DescribingColumns more = described(transaction).of(events);
            List<Object> arguments = new ArrayList<>();
            layout.consumerColumn().ifPresent(column -> arguments.add(consumer));
            boolean uuids = layout.form() == InboxLayout.Form.PROCESSED_EVENTS;
            arguments.add(transaction.createArrayOf(
                    uuids ? "uuid" : "varchar", byId.keySet().toArray()));
            for (DescribingColumns.Column column : more.columns()) {
                arguments.add(transaction.createArrayOf(
                        "text", byId.values().stream().map(column::valueOf).toArray()));
            }
            Set<String> fresh = new HashSet<>();
            Row<String> inserted = row -> {
                fresh.add(Objects.requireNonNull(byId.get(row.getString(1))).eventId());
                return row.getString(2);
            };
            List<String> stamps =
                    Statements.on(transaction).query(sql.markAll(more).orElseThrow(), inserted, arguments.toArray());
            return new RecordedAll(fresh, stamps.isEmpty() ? Mark.NONE : Mark.writtenIn(transaction, stamps.get(0)));
        } catch (SQLException e) {
            throw failed(events.size() + " events", consumer, e);
        }
    }

    /** Read once; later queries would cost a round trip for each event. */
    private DescribingColumns described(Connection connection) throws SQLException {
        DescribingColumns known = described;
        if (known == null) {
            known = DescribingColumns.read(connection, layout, dialect);
            described = known;
        }
        return known;
    }

    private void requireConsumer(String consumer) {
        layout.requireConsumer(consumer);
        if (consumer.isBlank() || consumer.length() > MAX_CONSUMER) {
            throw new InvalidEventException(
                    "The consumer's name has " + consumer.length() + " characters: use 1 to " + MAX_CONSUMER + ".");
        }
    }

    private InboxException failed(String what, String consumer, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        if (state.length() == 5 && OF_A_STATEMENT.contains(state.substring(0, 2))) {
            // The columns may be the reason: dropped, constrained, not granted. They decide nothing, so do without from
            // now on.
            described = DescribingColumns.NONE;
        }
        return new InboxException(
                "Could not record " + what + " of consumer " + consumer + " in " + layout.tableName() + " (SQLSTATE "
                        + e.getSQLState() + "). Roll the transaction back; the event can be handled again.",
                ServerError.withoutRows(e));
    }

    /** Some servers truncate long values, which could make two ids equal. */
    private void requireToFit(Incoming event) {
        String entity = event.version().map(EntityVersion::entity).orElse("");
        if (event.eventId().length() > MAX_KEY || entity.length() > MAX_KEY) {
            throw new InvalidEventException("The table " + layout.tableName()
                    + " accepts event ids and entities of up to "
                    + MAX_KEY + " characters, but these have " + event.eventId().length() + " and " + entity.length()
                    + ".");
        }
    }

    private Recorded record(Connection transaction, String consumer, Incoming event) {
        requireConsumer(consumer);
        requireToFit(event);
        try {
            requireTransaction(transaction);
            Optional<String> stamp = mark(transaction, consumer, event);
            if (stamp.isEmpty()) {
                return new Recorded(Outcome.DUPLICATE, Mark.NONE);
            }
            Outcome outcome = event.version().isPresent()
                    ? advance(transaction, consumer, event.version().get())
                    : Outcome.HANDLED;
            return new Recorded(
                    outcome, outcome instanceof Outcome.Handled ? Mark.writtenIn(transaction, stamp.get()) : Mark.NONE);
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

    /** @return the stamp of the new mark; empty if there is one */
    private Optional<String> mark(Connection transaction, String consumer, Incoming event) throws SQLException {
        DescribingColumns more = described(transaction).of(List.of(event));
        try {
            return Statements.on(transaction).first(sql.mark(more), sql::stamp, markOf(consumer, event, more));
        } catch (SQLException e) {
            if (!isDuplicate(e)) {
                throw e;
            }
            requireSameId(transaction, consumer, event);
            return Optional.empty();
        }
    }

    /** The table's collation may treat the ids of two events as equal. The second one must not pass for a duplicate. */
    private void requireSameId(Connection transaction, String consumer, Incoming event) throws SQLException {
        if (layout.form() == InboxLayout.Form.PROCESSED_EVENTS) {
            return; // ids are UUIDs
        }
        List<Boolean> same = Statements.on(transaction)
                .query(
                        sql.recorded,
                        row -> row.getString(1).equals(event.eventId())
                                && row.getString(2).equals(consumer),
                        key(consumer, event).toArray());
        if (same.contains(false) && !same.contains(true)) {
            throw new InvalidEventException("The table " + layout.tableName()
                    + " cannot record an event: its collation treats the event's id or the consumer's name as equal to"
                    + " another one. Give the table a collation that compares bytes; JdbcInbox.examine says how.");
        }
    }

    private @Nullable Object[] markOf(String consumer, Incoming event, DescribingColumns more) {
        List<@Nullable Object> arguments = key(consumer, event);
        if (layout.form() == InboxLayout.Form.CONSUMER_GROUPS) {
            Optional<EntityVersion> version = event.version();
            arguments.add(version.map(EntityVersion::entity).orElse(null));
            arguments.add(SqlArgument.number(version.map(EntityVersion::version).orElse(null)));
        }
        more.columns().forEach(column -> arguments.add(column.valueOf(event)));
        return arguments.toArray();
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
     * MariaDB and H2 roll back the whole transaction after a deadlock, and MariaDB also after a timeout if so configured. If a
     * handler continues after that, or sends a rollback as SQL text, its later changes would be committed without the mark. There
     * may be another mark of the event meanwhile, of a transaction that handled it.
     */
    private void requireMark(Connection transaction, String consumer, Incoming event, Mark mark) {
        String what = "event " + event.eventId();
        try {
            if (mark.isStillThere(transaction, () -> found(transaction, consumer, event))) {
                return;
            }
        } catch (SQLException e) {
            throw failed(what, consumer, e);
        }
        throw markGone(what, consumer);
    }

    /** @return the stamp of the event's mark */
    private Optional<String> found(Connection transaction, String consumer, Incoming event) throws SQLException {
        DescribingColumns more = described(transaction).of(List.of(event));
        return Statements.on(transaction)
                .first(
                        sql.find(more),
                        sql::stamp,
                        dialect == TableDialect.POSTGRESQL
                                ? markOf(consumer, event, more)
                                : key(consumer, event).toArray());
    }

    private static TransactionConflictException markGone(String what, String consumer) {
        return new TransactionConflictException("The transaction ended while consumer " + consumer + " handled "
                + what
                + ", and its handler continued: after a deadlock or a timeout a handler must rethrow the exception,"
                + " and it must not send a rollback, or a statement that commits, itself. Roll the transaction"
                + " back; the event can be handled again.");
    }

    private boolean inserts(Connection transaction, String statement, @Nullable Object... arguments)
            throws SQLException {
        try {
            return Statements.on(transaction).update(statement, arguments) == 1;
        } catch (SQLException e) {
            if (isDuplicate(e)) {
                return false;
            }
            throw e;
        }
    }

    /** On PostgreSQL a failed insert aborts the transaction, so there it inserts nothing instead. */
    private boolean isDuplicate(SQLException e) {
        return dialect != TableDialect.POSTGRESQL && SqlFailure.of(e) == SqlFailure.DUPLICATE;
    }

    /** Locks the row of the entity, so that concurrent versions are compared one after the other. */
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

    void look(Examination examination) {
        new InboxCheckup(examination, layout, dialect, sql.keys).look();
    }

    @Override
    public Duration replayWindow() {
        return layout.replayWindow();
    }

    @Override
    public PurgeStep purge(Connection connection, String consumer, Duration olderThan, int atMost) {
        requireConsumer(consumer);
        if (olderThan.compareTo(layout.replayWindow()) < 0) {
            throw new IllegalArgumentException(
                    "The inbox is asked to delete records older than " + olderThan
                            + ", but events can be delivered again for " + layout.replayWindow()
                            + ": their effects would happen twice. Keep the records longer, or shorten InboxLayout.replayWindow.");
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
