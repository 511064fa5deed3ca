package dev.waybill.postgres;

import dev.waybill.admin.Finding;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.PostgresCheckup;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Looks a journal and its server over. */
final class JournalCheckup {
    private static final List<String> INDEXES_OF_KEYS =
            List.of("event_pkey", "event_id_key", "relay_pkey", "lease_pkey", "parked_pkey");

    private final Examination examination;
    private final JournalOptions options;

    private JournalCheckup(Examination examination, JournalOptions options) {
        this.examination = examination;
        this.options = options;
    }

    static List<Finding> of(DataSource dataSource) {
        return of(dataSource, PostgresCheckup.PATIENCE);
    }

    static List<Finding> of(DataSource dataSource, Duration patience) {
        return of(dataSource, patience, JournalOptions.DEFAULT);
    }

    static List<Finding> of(DataSource dataSource, Duration patience, JournalOptions options) {
        return Examination.of(dataSource, examination -> {
            new PostgresCheckup(examination, patience).lookAtServer();
            new JournalCheckup(examination, options).lookAtJournal();
        });
    }

    private void lookAtJournal() throws SQLException {
        boolean there = examination.ask(PostgresJournalSql.INSPECT, row -> {
            row.next();
            return row.getBoolean("initialised");
        });
        if (!there) {
            examination.look(
                    "schema",
                    () -> Finding.problem(
                            "schema",
                            "there is no schema waybill that this role may see",
                            "Run waybill init as the owner of the database, and grant this role what it needs."));
            return;
        }
        examination.look("schema", () -> examination.ask(PostgresSchemaSql.SCHEMA_VERSION, JournalCheckup::schema));
        examination.look("grants", () -> examination.ask(JournalCheckupSql.MISSING_GRANTS, JournalCheckup::missing));
        examination.look(
                "producers", () -> examination.ask(JournalCheckupSql.TOO_MUCH_GRANTED, JournalCheckup::producers));
        examination.look("indexes", () -> examination.ask(JournalCheckupSql.INDEXES, JournalCheckup::indexes));
        examination.look("order", () -> examination.ask(PostgresJournalSql.INSPECT, JournalCheckup::order));
        examination.look("numbers", () -> examination.ask(JournalCheckupSql.SEQUENCE, JournalCheckup::numbers));
        new BelongingCheckup(examination, options).look();
    }

    private static Finding schema(ResultSet row) throws SQLException {
        row.next();
        int version = row.getInt(1);
        int newest = JournalSchema.newestVersion();
        String what = "version " + version + ", this Waybill knows " + newest;
        if (version == newest) {
            return Finding.fine("schema", "version " + version + ", up to date");
        }
        return version < newest
                ? Finding.problem(
                        "schema", what, "Run waybill init as the owner of the schema: it brings it up to date.")
                : Finding.problem("schema", what, "Use a Waybill at least as new as the one that made the schema.");
    }

    private static Finding missing(ResultSet row) throws SQLException {
        row.next();
        @Nullable String missing = row.getString(1);
        return missing == null
                ? Finding.fine("grants", "this role may run relays")
                : Finding.warning(
                        "grants",
                        "this role may not " + missing,
                        "That is right for looking. If relays run as this role: waybill init --relay with its name.");
    }

    private static Finding producers(ResultSet row) throws SQLException {
        row.next();
        @Nullable String roles = row.getString(1);
        return roles == null
                ? Finding.fine("producers", "nobody but the owner can give seq, xid or created_at")
                : Finding.warning(
                        "producers",
                        roles + " may give seq, xid or created_at: a mistake there loses events or their order",
                        "Revoke insert and update on waybill.event, then waybill init --producer with the role.");
    }

    private static Finding indexes(ResultSet row) throws SQLException {
        Map<String, Boolean> there = new HashMap<>();
        while (row.next()) {
            there.put(row.getString(1), row.getBoolean(2));
        }
        List<String> missing = new ArrayList<>();
        List<String> invalid = new ArrayList<>();
        for (String index : expectedIndexes()) {
            @Nullable Boolean valid = there.get(index);
            if (valid == null) {
                missing.add(index);
            } else if (!valid) {
                invalid.add(index);
            }
        }
        if (missing.isEmpty() && invalid.isEmpty()) {
            return Finding.fine("indexes", "all " + expectedIndexes().size() + " are there and valid");
        }
        String what = (missing.isEmpty() ? "" : "missing: " + String.join(", ", missing) + "; ")
                + (invalid.isEmpty() ? "" : "invalid: " + String.join(", ", invalid) + "; ")
                + "relays and this tool may read whole tables";
        return Finding.problem(
                "indexes",
                what,
                "Create what is missing as waybill init --print shows it; rebuild what is invalid with reindex index"
                        + " concurrently.");
    }

    private static List<String> expectedIndexes() {
        List<String> expected = new ArrayList<>(INDEXES_OF_KEYS);
        Matcher index = JournalCheckupSql.INDEX_MADE.matcher(JournalSchema.script());
        while (index.find()) {
            expected.add(index.group(1));
        }
        Matcher dropped = JournalCheckupSql.INDEX_DROPPED.matcher(JournalSchema.script());
        while (dropped.find()) {
            expected.remove(dropped.group(1));
        }
        return expected;
    }

    private static Finding order(ResultSet row) throws SQLException {
        row.next();
        return row.getBoolean("xid_before_seq")
                ? Finding.fine(
                        "order",
                        "the journal orders by seq: what was appended after another's commit was seen comes after it")
                : Finding.problem(
                        "order",
                        "the column xid of waybill.event stands after seq, so an event could get its seq before its xid",
                        "Create the table as waybill init --print shows it; relays refuse this one.");
    }

    private static Finding numbers(ResultSet row) throws SQLException {
        row.next();
        if (row.getLong("seqcache") != 1 || row.getLong("seqincrement") != 1 || row.getBoolean("seqcycle")) {
            return Finding.problem(
                    "numbers",
                    "waybill.event_seq_seq has cache " + row.getLong("seqcache") + " and increment "
                            + row.getLong("seqincrement") + ": seqs do not follow the order of appending",
                    "Once no writer is connected: alter sequence waybill.event_seq_seq cache 1 increment 1 no cycle.");
        }
        return Finding.fine("numbers", "the sequence has cache 1");
    }
}
