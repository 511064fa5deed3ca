package dev.waybill.jdbc;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.layout.Catalogue;
import dev.waybill.jdbc.layout.CollationCheckup;
import dev.waybill.jdbc.layout.TableDialect;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Checks the tables of an inbox. */
final class InboxCheckup {
    private static final String VERSIONS = "waybill_inbox_version";

    private final Examination examination;
    private final InboxLayout layout;
    private final TableDialect dialect;
    private final List<String> keys;

    InboxCheckup(Examination examination, InboxLayout layout, TableDialect dialect, List<String> keys) {
        this.examination = examination;
        this.layout = layout;
        this.dialect = dialect;
        this.keys = keys;
    }

    void look() {
        examination.look("inbox", this::table);
        examination.look("collation", () -> collation(layout.tableName(), keys));
        examination.look("collation", () -> collation(VERSIONS, InboxSql.KEYS_OF_VERSIONS));
    }

    private Finding table() {
        try {
            examination.exists(InboxSql.lookAt(layout, dialect));
            return Finding.fine("inbox", layout.tableName() + " can be read");
        } catch (SQLException e) {
            return Finding.problem(
                    "inbox",
                    layout.tableName() + " cannot be read (" + Examination.words(e) + ")",
                    "Create it with JdbcInbox.create or its script, or grant this user the right to read it.");
        }
    }

    private Finding collation(String table, List<String> columns) throws SQLException {
        Catalogue catalogue = new Catalogue(examination.connection(), Optional.empty(), table);
        return CollationCheckup.of(catalogue, dialect, columns);
    }
}
