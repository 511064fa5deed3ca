package dev.waybill.table.rows;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.PostgresEncoding;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.kernel.Statements;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.KnownTimes;
import dev.waybill.jdbc.layout.LayoutCheck;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What an outbox table and its side tables must be like for a relay to start. A relay does not start if one of these checks finds
 * a problem, and the doctor shows what they find.
 */
public final class StartChecks {
    /** These fail if a table or a column is missing, or may not be read. */
    private static final String LOOK_AT_TABLE = "select {all_event_columns} from {table} where 1 = 0";

    private static final String LOOK_AT_SIDE_TABLES = "select 1 from {claim}, {relay}, {audit}, {replay} where 1 = 0";

    private final Connection connection;
    private final TableLayout layout;
    private final boolean competing;
    private final Optional<String> guard;
    private final TableDialect dialect;
    private final TableText text;

    /** Receives the checks. */
    public interface Checks<E extends Exception> {
        void check(String subject, Examination.Look look) throws E;
    }

    public StartChecks(Connection connection, TableLayout layout, boolean competing, Optional<String> guard)
            throws SQLException {
        this.connection = connection;
        this.layout = layout;
        this.competing = competing;
        this.guard = guard;
        this.dialect = TableDialect.of(connection);
        this.text = new TableText(layout, dialect, TableView.PLAIN);
    }

    /** Each check needs those before it. */
    public <E extends Exception> void each(Checks<E> checks) throws E {
        checks.check("table", this::table);
        checks.check("schema", this::sideTables);
        checks.check("order", this::order);
        if (guard.isPresent()) {
            checks.check("guard", () -> GuardCheck.of(connection, layout, guard.get()));
        }
    }

    private Finding table() throws SQLException {
        try {
            LayoutCheck.require(connection, layout);
            Statements.on(connection).exists(text.in(LOOK_AT_TABLE));
            if (dialect == TableDialect.POSTGRESQL && PostgresEncoding.isNone(connection)) {
                return Finding.problem(
                        "table",
                        "the database of " + layout.tableName() + " stores text in no encoding: "
                                + PostgresEncoding.PROBLEM,
                        PostgresEncoding.REMEDY);
            }
            return Finding.fine("table", layout.tableName() + " matches the layout " + layout.name());
        } catch (IllegalArgumentException e) {
            return Finding.problem("table", String.valueOf(e.getMessage()), "Correct the layout, or the table.");
        } catch (SQLException e) {
            if (SqlFailure.mayPass(e)) {
                throw e;
            }
            return Finding.problem(
                    "table",
                    layout.tableName() + " cannot be read (" + Examination.words(e) + ")",
                    "Create it with waybill init --layout, correct its name, or grant this user to read it.");
        }
    }

    private Finding sideTables() throws SQLException {
        try {
            Statements statements = Statements.on(connection);
            statements.exists(text.in(LOOK_AT_SIDE_TABLES));
            int version = statements.one(text.in(SideVersion.FIND), row -> row.getInt(1));
            return version == SideVersion.CURRENT
                    ? Finding.fine("schema", "the side tables have version " + version + ", up to date")
                    : Finding.problem(
                            "schema",
                            "the side tables have version " + version + ", this Waybill needs " + SideVersion.CURRENT,
                            SideVersion.remedy(version));
        } catch (SQLException e) {
            if (SqlFailure.mayPass(e)) {
                throw e;
            }
            return Finding.problem(
                    "schema",
                    "the side tables cannot be read (" + Examination.words(e) + ")",
                    "Create them with waybill init --layout, or grant this user to read them.");
        }
    }

    /** Rows are marked by their number, so equal numbers would mark rows that were not published. */
    private Finding order() throws SQLException {
        Optional<String> sequence = layout.column(TableColumn.SEQUENCE);
        Catalogue catalogue = Catalogue.of(connection, layout);
        if (sequence.isPresent() && !catalogue.isUnique(sequence.get())) {
            return Finding.problem(
                    "order",
                    "no key or index makes " + sequence.get()
                            + " unique: a row could be marked instead of the published one, so no relay starts",
                    "Take the sequence out of the layout, or run: " + catalogue.makeUnique(sequence.get()));
        }
        if (competing) {
            return Finding.fine("order", "none is promised: several processes compete for the rows");
        }
        return sequence.isPresent() ? numbered(sequence.get()) : timed(catalogue);
    }

    private Finding numbered(String sequence) throws SQLException {
        long cache = dialect == TableDialect.POSTGRESQL
                ? Statements.on(connection)
                        .first(RelayDialect.of(dialect).sequence(), row -> row.getLong(2), text.in("{table}"), sequence)
                        .orElse(1L)
                : 1;
        return cache > 1
                ? Finding.problem(
                        "order",
                        "the sequence of " + sequence + " has cache " + cache
                                + ": numbers do not follow the order of appends",
                        "Once no writer is connected, alter the sequence to cache 1. Or claim competing, without order.")
                : Finding.fine("order", "the column " + sequence + " orders the rows");
    }

    private Finding timed(Catalogue catalogue) throws SQLException {
        return layout.isOrdered()
                ? Finding.warning(
                        "order",
                        "only " + layout.column(TableColumn.CREATED_AT).orElse("created_at")
                                + " orders the rows: the order of a"
                                + " key is only kept for rows appended by Waybill while the aggregate was locked"
                                + repeatedHour(),
                        "Append with JdbcOutbox.table, or give the table a sequence column and name it in the layout.")
                : Finding.problem(
                        "order",
                        layout.tableName()
                                + " has neither a sequence nor a creation time, so no relay can read it in order",
                        "Run: " + catalogue.addSequence("seq")
                                + ". Writers that name their columns need not change. Then name it in the layout, as in"
                                + " columns: { sequence: seq }. Or set competing: true, without order.");
    }

    /** Local times of a zone with daylight saving occur twice in one hour of the year. */
    private String repeatedHour() throws SQLException {
        return KnownTimes.of(connection, layout)
                .flatMap(TableLayout::zone)
                .filter(zone -> !zone.getRules().getTransitionRules().isEmpty())
                .map(zone -> ", and not in the hour that the clocks of " + zone
                        + " repeat when daylight saving ends: keep times in UTC")
                .orElse("");
    }
}
