package dev.waybill.table;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.BorrowedConnection;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.jdbc.kernel.PostgresDriver;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.kernel.SqlWork;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.PaddedColumns;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection to the database of an outbox table, with the statements of its layout. Its owner keeps it until it fails. */
final class TableConnection extends StoreConnection {
    static final String CLOCK = "select {clock}";

    private static final Logger log = LoggerFactory.getLogger(TableConnection.class);

    /** With the time that a relay waits for a lock, more than ten seconds. */
    private static final int MOST_ATTEMPTS = 12;

    private final TableLayout layout;
    private final Optional<RelayName> replay;
    private final TableDialect dialect;
    private final RelayDialect database;
    private final TableText text;
    private final TableTimes times;

    private TableConnection(BorrowedConnection borrowed, TableLayout layout, TableView view, TableDialect dialect) {
        super(borrowed);
        this.layout = layout;
        this.replay = view.replay();
        this.dialect = dialect;
        this.database = RelayDialect.of(dialect);
        this.text = new TableText(layout, dialect, view);
        this.times = new TableTimes(layout, dialect);
    }

    static TableConnection open(DataSource dataSource, TableLayout layout) throws SQLException {
        return open(dataSource, layout, TableView.PLAIN);
    }

    static TableConnection open(DataSource dataSource, TableLayout layout, TableView view) throws SQLException {
        Connection connection = Connecting.to(dataSource);
        try {
            TableDialect dialect = TableDialect.of(connection);
            RelayDialect database = RelayDialect.of(dialect);
            return new TableConnection(
                    BorrowedConnection.prepare(connection, database::prepareConnection), layout, view, dialect);
        } catch (Throwable e) {
            BorrowedConnection.drop(connection);
            throw e;
        }
    }

    /** @param what is being done, for the error */
    static <R> R once(DataSource dataSource, TableLayout layout, String what, Work<TableConnection, R> work) {
        return once(dataSource, layout, Optional.empty(), what, work);
    }

    static <R> R once(
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

    void execute(List<String> statements) throws SQLException {
        try (Statement statement = connection().createStatement()) {
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

    @Override
    protected PreparedStatement prepareFirst(String statement) throws SQLException {
        PreparedStatement first = connection().prepareStatement(text.in(statement));
        // The side table may be empty when a session begins: the plan for that would last as long as the session.
        if (dialect == TableDialect.POSTGRESQL && statement.contains("{claim}")) {
            PostgresDriver.planAnew(first);
        }
        return first;
    }

    /** Statements that end with a list of these values. */
    ListStatements among(Collection<?> values) {
        return ListStatements.of(this, values);
    }

    /** The same in short parts, for changes: MariaDB reads the whole table rather than look up a long list. */
    ListStatements amongFew(Collection<?> values) {
        return ListStatements.inShortParts(this, values);
    }

    /** The same for keys, each of which may have any number of side rows that the other conditions leave out. */
    ListStatements amongKeys(Collection<String> keys) {
        return ListStatements.ofKeys(this, keys);
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
        return Catalogue.of(connection(), layout);
    }

    PaddedColumns padded() throws SQLException {
        return PaddedColumns.of(connection(), layout);
    }

    /** Current time according to the database. */
    Instant clock() throws SQLException {
        return one(CLOCK, row -> TableTimes.instant(row.getLong(1)));
    }

    /**
     * Runs a transaction, again when it lost against another transaction or waited for one in vain: nothing of it has happened.
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
}
