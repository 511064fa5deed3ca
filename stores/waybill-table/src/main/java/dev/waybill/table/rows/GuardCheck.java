package dev.waybill.table.rows;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.ServerError;
import dev.waybill.jdbc.kernel.SqlFailure;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.CollationCheckup;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;

/** Checks whether a guard can record the events of an outbox table. */
public final class GuardCheck {
    private static final String LOOK = "select event_id, status, created_at, updated_at from %s where 1 = 0";

    private static final String EVENT_ID = "event_id";

    private static final String MISSING =
            "Run `waybill init --config` or ProcessedEvents.create to create it, grant it to"
                    + " this user, or take the guard out of the store.";

    private static final Set<String> BEYOND_UTF8MB3 = Set.of("utf8mb4", "utf16", "utf16le", "utf32");

    private static final int LONGEST_NUMBER = 20;
    private static final int LONGEST_UUID = 36;

    private GuardCheck() {}

    /** @return how the guard is, with the remedy if no relay can use it */
    public static Finding of(Connection connection, TableLayout layout, String guard) throws SQLException {
        TableDialect dialect = TableDialect.of(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute(LOOK.formatted(TableText.beside(layout, dialect, guard)));
        } catch (SQLException e) {
            if (SqlFailure.mayPass(e)) {
                throw e;
            }
            return Finding.problem(
                    "guard",
                    "the guard, the table " + guard + ", cannot be read: "
                            + ServerError.withoutRows(e).getMessage(),
                    MISSING);
        }
        return ofColumn(connection, layout, guard);
    }

    private static Finding ofColumn(Connection connection, TableLayout layout, String guard) throws SQLException {
        Catalogue catalogue = new Catalogue(connection, layout.schema(), guard);
        int needed = idLength(Catalogue.of(connection, layout), layout);
        Optional<Integer> length = catalogue.textLength(EVENT_ID);
        if (!catalogue.isText(EVENT_ID) || length.orElse(needed) < needed) {
            return Finding.problem(
                    "guard",
                    "event_id of the guard " + guard + " cannot hold the ids of " + layout.tableName()
                            + ": it must be a text of at least " + needed + " characters",
                    "While no relay runs, run: " + catalogue.toText(EVENT_ID, Math.max(needed, SideRow.LONGEST_ID)));
        }
        if (!catalogue.isUnique(EVENT_ID)) {
            return Finding.problem(
                    "guard",
                    "no key or index makes event_id of the guard " + guard
                            + " unique: an event could be recorded twice",
                    "While no relay runs, run: " + catalogue.makeUnique(EVENT_ID));
        }
        Optional<String> unrecorded = layout.idKind() == TableLayout.IdKind.TEXT
                ? unrecorded(catalogue, Catalogue.of(connection, layout), layout)
                : Optional.empty();
        return unrecorded.isEmpty()
                ? Finding.fine("guard", guard + " records the published events")
                : Finding.warning(
                        "guard",
                        "the guard " + guard + " does not record every event: " + unrecorded.get()
                                + ". Such an event is sent without it",
                        "While no relay runs, run: "
                                + catalogue.toText(EVENT_ID, Math.max(needed, length.orElse(SideRow.LONGEST_ID))));
    }

    /** Why the guard may be unable to record an id of the table, or to record it beside another one. */
    private static Optional<String> unrecorded(Catalogue guard, Catalogue table, TableLayout layout)
            throws SQLException {
        String id = layout.column(TableColumn.ID).orElseThrow();
        Optional<String> there = guard.mariaDbCollation(EVENT_ID);
        Optional<String> here = table.mariaDbCollation(id);
        if (there.isPresent() && here.isPresent() && !holds(characterSet(there.get()), characterSet(here.get()))) {
            return Optional.of("its collation is " + there.get() + ", that of the ids is " + here.get());
        }
        Optional<String> loose = guard.looseCollation(EVENT_ID);
        return loose.isEmpty() || loose.equals(table.looseCollation(id))
                ? Optional.empty()
                : Optional.of("it treats ids as equal that differ in " + CollationCheckup.differences(loose.get())
                        + " (" + loose.get() + ")");
    }

    private static boolean holds(String characters, String others) {
        return characters.equals(others)
                || characters.equals("utf8mb4")
                || others.equals("ascii")
                || (characters.equals("utf8mb3") && !BEYOND_UTF8MB3.contains(others));
    }

    private static String characterSet(String collation) {
        String set = collation.split("_", 2)[0];
        return set.equals("utf8") ? "utf8mb3" : set;
    }

    private static int idLength(Catalogue catalogue, TableLayout layout) throws SQLException {
        return switch (layout.idKind()) {
            case NUMBER -> LONGEST_NUMBER;
            case UUID -> LONGEST_UUID;
            case TEXT ->
                Math.min(
                        SideRow.LONGEST_ID,
                        catalogue
                                .textLength(layout.column(TableColumn.ID).orElseThrow())
                                .orElse(SideRow.LONGEST_ID));
        };
    }
}
