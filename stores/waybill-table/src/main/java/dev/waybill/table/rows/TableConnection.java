package dev.waybill.table.rows;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.LockHolders;
import dev.waybill.jdbc.kernel.PostgresDriver;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.KnownTimes;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to the database of an outbox table, with the statements of its layout. Its owner keeps it until it fails.
 */
public final class TableConnection extends StoreConnection {
    public static final String CLOCK = "select {clock}";

    private static final Logger log = LoggerFactory.getLogger(TableConnection.class);

    /** Together with the lock timeout of relays this takes more than ten seconds. */
    private static final int MAX_ATTEMPTS = 12;

    private static final int LONGEST_LIST = 2_048;
    private static final int SHORT_LIST = 128;

    private final TableLayout layout;
    private final Optional<RelayName> replay;
    private final TableDialect dialect;
    private final RelayDialect database;
    private final TableText text;
    private final TableTimes times;
    private final int errorLength;

    private TableConnection(
            BorrowedConnection borrowed, TableLayout layout, TableView view, TableDialect dialect, int errorLength) {
        super(borrowed);
        this.layout = layout;
        this.replay = view.replay();
        this.dialect = dialect;
        this.database = RelayDialect.of(dialect);
        this.text = new TableText(layout, dialect, view);
        this.times = new TableTimes(layout, dialect);
        this.errorLength = errorLength;
    }

    public static TableConnection open(DataSource dataSource, TableLayout layout) throws SQLException {
        return open(dataSource, layout, TableView.PLAIN);
    }

    public static TableConnection open(DataSource dataSource, TableLayout layout, TableView view) throws SQLException {
        return open(dataSource, layout, view, Connecting.PATIENCE);
    }

    public static TableConnection open(DataSource dataSource, TableLayout layout, TableView view, Duration patience)
            throws SQLException {
        Connection connection = Connecting.to(dataSource, patience);
        try {
            TableDialect dialect = TableDialect.of(connection);
            RelayDialect database = RelayDialect.of(dialect);
            BorrowedConnection borrowed = BorrowedConnection.prepare(connection, database::prepareConnection);
            TableLayout known = KnownTimes.of(connection, layout).orElse(layout);
            return new TableConnection(borrowed, known, view, dialect, errorLength(connection, layout));
        } catch (Throwable e) {
            BorrowedConnection.drop(connection);
            throw e;
        }
    }

    private static int errorLength(Connection connection, TableLayout layout) throws SQLException {
        int wanted = layout.length(TableColumn.ERROR).orElse(TableLayoutBuilder.DEFAULT_ERROR_LENGTH);
        Optional<String> column = layout.column(TableColumn.ERROR);
        return column.isEmpty()
                ? wanted
                : Math.min(
                        wanted,
                        Catalogue.of(connection, layout)
                                .textLength(column.get())
                                .orElse(wanted));
    }

    /** @param what is being done, for the error */
    public static <R> R once(DataSource dataSource, TableLayout layout, String what, Work<TableConnection, R> work) {
        return once(dataSource, layout, Optional.empty(), what, work);
    }

    public static <R> R once(
            DataSource dataSource,
            TableLayout layout,
            Optional<RelayName> replay,
            String what,
            Work<TableConnection, R> work) {
        return once(
                () -> open(dataSource, layout, TableView.of(replay)),
                what + " (table " + layout.tableName() + ")",
                work);
    }

    public void execute(List<String> statements) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    public TableLayout layout() {
        return layout;
    }

    public TableText text() {
        return text;
    }

    public TableTimes times() {
        return times;
    }

    public TableDialect dialect() {
        return dialect;
    }

    public RelayDialect relayDialect() {
        return database;
    }

    /**
     * The name of the outbox table in the side tables, which are in its schema. A replay has a name of its own, so that its
     * side rows are separate from those of the relay.
     */
    public String outbox() {
        return layout.table() + replay.map(name -> "#" + name).orElse("");
    }

    public boolean isReplay() {
        return replay.isPresent();
    }

    @Override
    protected PreparedStatement prepareFirst(String statement) throws SQLException {
        PreparedStatement first = connection().prepareStatement(text.in(statement));
        // The side table may be empty when a session begins, and a cached plan for that would be used as long as the
        // session lives.
        if (dialect == TableDialect.POSTGRESQL && statement.contains("{claim}")) {
            PostgresDriver.planAnew(first);
        }
        return first;
    }

    @Override
    protected Optional<LockHolders> lockHolders() {
        return text.lockHolders().map(LockHolders::withWriters);
    }

    /** Statements that end with a list of these values. */
    public ListStatements among(Collection<?> values) {
        return new ListStatements(this, values, LONGEST_LIST);
    }

    /** The same in short parts, for updates: MariaDB reads the whole table rather than look up a long list. */
    public ListStatements amongFew(Collection<?> values) {
        return new ListStatements(this, values, SHORT_LIST);
    }

    /** The same for keys, which may have any number of side rows that the other conditions exclude. */
    ListStatements amongKeys(Collection<String> keys) {
        return new ListStatements(this, new LinkedHashSet<>(keys), database.looksUpLists() ? LONGEST_LIST : 1);
    }

    /** Row ids in the type of their column. Ids of another form match no row and are left out. */
    public List<Object> ids(Iterable<String> texts) {
        List<Object> ids = new ArrayList<>();
        for (String id : texts) {
            try {
                ids.add(id(id));
            } catch (IllegalArgumentException e) {
                log.debug("An id that does not have the type of ids in {} matches no row.", layout);
            }
        }
        return ids;
    }

    /** Ids given by an operator, in every spelling that a row may have: MariaDB mostly stores UUIDs as text. */
    public List<String> spellings(List<String> given) {
        return layout.idKind() == TableLayout.IdKind.UUID && dialect == TableDialect.MARIADB
                ? given.stream()
                        .flatMap(id -> Stream.of(id, id.toLowerCase(Locale.ROOT), id.toUpperCase(Locale.ROOT)))
                        .distinct()
                        .toList()
                : given;
    }

    public Object id(String rowId) {
        return switch (layout.idKind()) {
            case TEXT -> rowId;
            case NUMBER -> Long.valueOf(rowId);
            case UUID -> dialect == TableDialect.MARIADB ? rowId : uuid(rowId);
        };
    }

    private UUID uuid(String rowId) {
        return UuidForm.parse(rowId)
                .orElseThrow(() -> new IllegalArgumentException("An id of " + rowId.length()
                        + " characters is not a UUID, but the ids of " + layout + " are."));
    }

    public Catalogue catalogue() throws SQLException {
        return Catalogue.of(connection(), layout);
    }

    /** How many characters of an error are stored: what the layout says, or less if the column is shorter. */
    int errorLength() {
        return errorLength;
    }

    public StartChecks startChecks(boolean competing, Optional<String> guard) throws SQLException {
        return new StartChecks(connection(), layout, competing, guard);
    }

    /** Current time according to the database. */
    public Instant clock() throws SQLException {
        return one(CLOCK, row -> TableTimes.instant(row.getLong(1)));
    }

    /** Runs a part of the transaction, if there is one. If it fails, only this part is rolled back. */
    <R> R keepingTransaction(SqlWork<R> work) throws SQLException {
        return connection().getAutoCommit() ? work.run() : underSavepoint(work);
    }

    /** Runs a part of a transaction. If it fails, only this part is rolled back. */
    public <R> R underSavepoint(SqlWork<R> work) throws SQLException {
        Savepoint before = connection().setSavepoint();
        R result;
        try {
            result = work.run();
        } catch (SQLException e) {
            try {
                connection().rollback(before);
            } catch (SQLException gone) {
                e.addSuppressed(gone);
            }
            throw e;
        }
        connection().releaseSavepoint(before);
        return result;
    }

    /**
     * Runs a transaction, and runs it again if it was rolled back by a conflict or a lock timeout.
     *
     * @param work may run several times
     */
    public <R> R retryOnConflict(SqlWork<R> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return inTransaction(work);
            } catch (SQLException e) {
                if (attempt == MAX_ATTEMPTS || SqlFailure.of(e) != SqlFailure.CONFLICT) {
                    throw e;
                }
            }
        }
    }
}
