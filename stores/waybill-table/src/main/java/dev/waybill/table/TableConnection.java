package dev.waybill.table;

import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.OwnTransaction;
import dev.waybill.jdbc.kernel.PostgresDriver;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.PaddedColumns;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelayName;
import dev.waybill.spi.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to the database of an outbox table, with the statements of its layout. Its owner keeps it until it fails. */
final class TableConnection {
    static final String CLOCK = "select {clock}";

    private static final Logger log = LoggerFactory.getLogger(TableConnection.class);

    /** How many values a list in a statement has at most, where it is not an array. */
    private static final int LONGEST_LIST = 2_048;

    private static final int SHORT_LIST = 128;

    /** With the time that a relay waits for a lock, more than ten seconds. */
    private static final int MOST_ATTEMPTS = 12;

    private final Connection connection;
    private final BorrowedConnection borrowed;
    private final TableLayout layout;
    private final Optional<RelayName> replay;
    private final TableDialect dialect;
    private final RelayDialect database;
    private final TableText text;
    private final TableTimes times;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    /** Binds a list's other parameters and runs the statement. */
    interface OnList {
        void run(PreparedStatement statement, int listAt) throws SQLException;
    }

    /** Something asked over a connection of its own. */
    interface Query<R> {
        R on(TableConnection connection) throws SQLException;
    }

    private TableConnection(Connection connection, TableLayout layout, TableView view) throws SQLException {
        this.connection = connection;
        this.layout = layout;
        this.replay = view.replay();
        this.dialect = TableDialect.of(connection);
        this.database = RelayDialect.of(dialect);
        this.text = new TableText(layout, dialect, view);
        this.times = new TableTimes(layout, dialect);
        this.borrowed = BorrowedConnection.prepare(connection, database::prepareConnection);
    }

    static TableConnection open(DataSource dataSource, TableLayout layout) throws SQLException {
        return open(dataSource, layout, TableView.PLAIN);
    }

    static TableConnection open(DataSource dataSource, TableLayout layout, TableView view) throws SQLException {
        Connection connection = Connecting.to(dataSource);
        try {
            return new TableConnection(connection, layout, view);
        } catch (Throwable e) {
            BorrowedConnection.drop(connection);
            throw e;
        }
    }

    /** @param what is being done, for the error */
    static <R> R query(DataSource dataSource, TableLayout layout, String what, Query<R> query) {
        return query(dataSource, layout, Optional.empty(), what, query);
    }

    static <R> R query(
            DataSource dataSource, TableLayout layout, Optional<RelayName> replay, String what, Query<R> query) {
        try {
            TableConnection connection = open(dataSource, layout, TableView.of(replay));
            try {
                return query.on(connection);
            } finally {
                connection.closeQuietly();
            }
        } catch (SQLException e) {
            throw failed(what + " (table " + layout.tableName() + ")", e);
        }
    }

    void execute(List<String> statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    TableLayout layout() {
        return layout;
    }

    TableText text() {
        return text;
    }

    TableTimes times() {
        return times;
    }

    TableDialect dialect() {
        return dialect;
    }

    RelayDialect dialectSql() {
        return database;
    }

    /**
     * What the side tables call the outbox table: its name, as they are in its schema. A replay has one of its own, so that
     * what it knows of a row is not what the relay knows.
     */
    String outbox() {
        return layout.table() + replay.map(name -> "#" + name).orElse("");
    }

    boolean isReplay() {
        return replay.isPresent();
    }

    /** The statement, prepared once. */
    PreparedStatement prepare(String statement) throws SQLException {
        PreparedStatement known = prepared.get(statement);
        if (known == null) {
            known = connection.prepareStatement(text.in(statement));
            // The side table may be empty when a session begins: the plan for that would last as long as the session.
            if (dialect == TableDialect.POSTGRESQL && statement.contains("{claim}")) {
                PostgresDriver.planAnew(known);
            }
            prepared.put(statement, known);
        }
        return known;
    }

    /**
     * Runs a statement with a list of row ids or texts, in several parts where the list is long.
     *
     * @param listAt the parameter with which the list begins; what comes after the list must not be
     */
    void forList(String statement, List<?> values, int listAt, OnList work) throws SQLException {
        forList(statement, values, listAt, LONGEST_LIST, work);
    }

    /** The same for changes: MariaDB reads the whole table rather than look up a long list. */
    void forShortList(String statement, List<?> values, int listAt, OnList work) throws SQLException {
        forList(statement, values, listAt, SHORT_LIST, work);
    }

    private void forList(String statement, List<?> values, int listAt, int longest, OnList work) throws SQLException {
        if (values.isEmpty()) {
            return;
        }
        if (database.arrays()) {
            PreparedStatement one = prepare(text.among(statement, 1));
            one.setArray(listAt, connection.createArrayOf(arrayType(values.get(0)), values.toArray()));
            work.run(one, listAt);
            return;
        }
        for (int from = 0; from < values.size(); from += longest) {
            List<?> part = values.subList(from, Math.min(values.size(), from + longest));
            int size = Math.max(1, Integer.highestOneBit(2 * part.size() - 1));
            PreparedStatement some = prepare(text.among(statement, size));
            for (int i = 0; i < size; i++) {
                some.setObject(listAt + i, part.get(Math.min(i, part.size() - 1)));
            }
            work.run(some, listAt);
        }
    }

    /** The same for keys, each of which may have any number of side rows that the other conditions leave out. */
    void forKeys(String statement, Collection<String> keys, int listAt, OnList work) throws SQLException {
        List<String> distinct = List.copyOf(new LinkedHashSet<>(keys));
        if (database.looksUpLists()) {
            forList(statement, distinct, listAt, work);
            return;
        }
        for (String key : distinct) {
            forList(statement, List.of(key), listAt, work);
        }
    }

    private static String arrayType(Object value) {
        return value instanceof UUID ? "uuid" : value instanceof Long ? "bigint" : "text";
    }

    /** Row ids in the type of their column; what is not of its form is no row's. */
    List<Object> ids(Iterable<String> texts) {
        List<Object> ids = new ArrayList<>();
        for (String id : texts) {
            try {
                ids.add(id(id));
            } catch (IllegalArgumentException e) {
                log.debug("An id that is not of the form of ids in {} matches no row.", layout);
            }
        }
        return ids;
    }

    /** Ids that a person gave, in every form in which a row may have them: MariaDB keeps UUIDs as texts, mostly. */
    List<String> spellings(List<String> given) {
        return layout.idKind() == TableLayout.IdKind.UUID && dialect == TableDialect.MARIADB
                ? given.stream()
                        .flatMap(id -> Stream.of(id, id.toLowerCase(Locale.ROOT), id.toUpperCase(Locale.ROOT)))
                        .distinct()
                        .toList()
                : given;
    }

    Object id(String rowId) {
        return switch (layout.idKind()) {
            case TEXT -> rowId;
            case NUMBER -> Long.valueOf(rowId);
            case UUID -> dialect == TableDialect.MARIADB ? rowId : uuid(rowId);
        };
    }

    private UUID uuid(String rowId) {
        return UuidForm.parse(rowId)
                .orElseThrow(() -> new IllegalArgumentException("An id of " + rowId.length()
                        + " characters is no UUID, and " + layout + " has UUIDs for ids."));
    }

    /** A table in the schema of the layout's, quoted. */
    String besideTable(String table) {
        return TableText.beside(layout, dialect, table);
    }

    Catalogue catalogue() throws SQLException {
        return Catalogue.of(connection, layout);
    }

    PaddedColumns padded() throws SQLException {
        return PaddedColumns.of(connection, layout);
    }

    /** The database's. */
    Instant clock() throws SQLException {
        try (ResultSet row = prepare(CLOCK).executeQuery()) {
            row.next();
            return TableTimes.instant(row.getLong(1));
        }
    }

    <R> R inTransaction(SqlWork<R> work) throws SQLException {
        return OwnTransaction.on(connection, work);
    }

    /**
     * The same, again when it lost against another transaction or waited for one in vain: nothing of it has happened.
     *
     * @param work may be run several times
     */
    <R> R insist(SqlWork<R> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return inTransaction(work);
            } catch (SQLException e) {
                if (attempt == MOST_ATTEMPTS || SqlFailure.of(e) != SqlFailure.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    static StoreException failed(String what, SQLException e) {
        SQLException safe = ServerError.withoutRows(e);
        return new StoreException(
                "The database failed while " + what + " (SQLSTATE " + e.getSQLState() + "): " + safe.getMessage(),
                safe);
    }

    /** Back as it came. */
    void closeQuietly() {
        borrowed.giveBack();
    }
}
