package dev.waybill.table.admin;

import dev.waybill.admin.ClockSkew;
import dev.waybill.admin.Finding;
import dev.waybill.admin.LeasesAhead;
import dev.waybill.jdbc.kernel.Examination;
import dev.waybill.jdbc.kernel.LockHolders;
import dev.waybill.jdbc.kernel.PostgresCheckup;
import dev.waybill.jdbc.kernel.SessionSettings;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.table.rows.RelayDialect;
import dev.waybill.table.rows.StartChecks;
import dev.waybill.table.rows.TableConnection;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.TableView;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Checks an outbox table, its side tables and its server. */
final class TableCheckup {
    private static final String MAY_MARK_STATE = "update {table} set {state} = {state} where 1 = 0";

    private static final String MAY_MARK_TIME = "update {table} set {published_at} = {published_at} where 1 = 0";

    private static final String MAY_LOCK = "select {id} from {table} where 1 = 0 for update";

    private static final String MAY_DELETE = "delete from {table} where 1 = 0";

    private static final List<String> MAY_LEASE = List.of(
            copyNothing("{relay}", "name, outbox, epoch, lease_until, paused, changes"),
            "update {relay} set epoch = epoch where 1 = 0");

    private static final List<String> MAY_CLAIM = List.of(
            copyNothing("{claim}", "outbox, row_id, key_hash, position, state, holds, attempts"),
            "update {claim} set attempts = attempts where 1 = 0",
            "delete from {claim} where 1 = 0");

    private static final List<String> MAY_REPLAY = List.of("update {replay} set sent = sent where 1 = 0");

    private static final List<String> MAY_RECORD =
            List.of(copyNothing("{audit}", "done_at, who, why, action, outbox, relay, details"));

    private static final List<String> MAY_GUARD = List.of(
            copyNothing("{guard}", "event_id, status, created_at, updated_at"),
            "update {guard} set status = status where 1 = 0");

    /** PostgreSQL only. A column may have no sequence of its own. */
    private static final String MAY_READ_SEQUENCE =
            "select has_sequence_privilege(pg_get_serial_sequence(?, ?), 'select, usage')";

    /** MariaDB only. */
    private static final String MARIADB_CIPHER = "show session status like 'Ssl_cipher'";

    /** The parameter is the name of the table as used in statements. */
    private static final String INVALID_INDEXES = """
            select i.relname from pg_index x join pg_class i on i.oid = x.indexrelid
             where x.indrelid = to_regclass(?) and not (x.indisvalid and x.indisready)""";

    private final Examination examination;
    private final TableLayout layout;
    private final boolean competing;
    private final Optional<String> guard;
    private final Duration patience;
    private final TableDialect dialect;
    private final TableText text;

    private TableCheckup(
            Examination examination, TableLayout layout, boolean competing, Optional<String> guard, Duration patience)
            throws SQLException {
        this.examination = examination;
        this.layout = layout;
        this.competing = competing;
        this.guard = guard;
        this.patience = patience;
        this.dialect = TableDialect.of(examination.connection());
        this.text = new TableText(layout, dialect, TableView.PLAIN);
    }

    /** The side tables may not exist yet; other checks say so. */
    private static final String MAY_READ_LEASES = "select 1 from {relay} where 1 = 0";

    private static final String LEASES_AHEAD =
            "select name, lease_until - {clock} from {relay} where owner is not null and lease_until > {clock} + ?";

    /** @param patience how long a transaction or a lock may last without a finding */
    static List<Finding> of(
            DataSource dataSource, TableLayout layout, boolean competing, Optional<String> guard, Duration patience) {
        return Examination.of(
                dataSource,
                TableCheckup::settings,
                examination -> new TableCheckup(examination, layout, competing, guard, patience).look());
    }

    /** Those of relays, but a lock that somebody holds does not delay each check for as long. */
    private static SessionSettings settings(Connection connection) throws SQLException {
        RelayDialect database = RelayDialect.of(TableDialect.of(connection));
        SessionSettings before = database.prepareConnection(connection);
        try (Statement statement = connection.createStatement()) {
            for (String sql : database.limitLockWait()) {
                statement.execute(sql);
            }
        }
        return before;
    }

    private void look() throws SQLException {
        if (dialect == TableDialect.POSTGRESQL) {
            new PostgresCheckup(examination, patience).lookAtServer();
        } else {
            examination.look("connection", this::server);
            examination.look("encryption", this::encryption);
            examination.look("clock", this::clock);
        }
        Optional<LockHolders> locks = text.lockHolders();
        if (locks.isPresent()) {
            examination.look(Finding.LOCKS, () -> locks.get().examine(examination, patience));
        }
        new StartChecks(examination.connection(), layout, competing, guard).each(examination::look);
        examination.look("grants", this::grants);
        examination.look("indexes", this::indexes);
        examination.lookFor("leases", this::leasesAhead);
        examination.look("nulls", () -> new ColumnsCheckup(examination.connection(), layout).nulls());
        examination.look("ids", () -> new ColumnsCheckup(examination.connection(), layout).ids(competing));
        examination.look("collation", () -> new ColumnsCheckup(examination.connection(), layout).collation());
    }

    private Optional<Finding> leasesAhead() throws SQLException {
        if (!examination.mayRun(text.in(MAY_READ_LEASES))) {
            return Optional.empty();
        }
        List<String> relays = examination.query(
                text.in(LEASES_AHEAD),
                row -> row.getString(1) + " in " + row.getLong(2) / 1_000_000 + " s",
                LeasesAhead.FAR.toMillis() * 1_000);
        return relays.isEmpty() ? Optional.empty() : Optional.of(LeasesAhead.finding(String.join(", ", relays)));
    }

    private Finding server() throws SQLException {
        DatabaseMetaData server = examination.connection().getMetaData();
        String version = server.getDatabaseProductVersion();
        String what = server.getDatabaseProductName() + " " + version + " as " + server.getUserName();
        return dialect == TableDialect.H2 && losesRows(version, server.getURL())
                ? Finding.warning(
                        "connection",
                        what + ": this version may lose committed rows of a file when the last connection is closed",
                        "Use H2 2.4.240 or newer.")
                : Finding.fine("connection", what);
    }

    /** H2 2.3 may restore an older state of a table when it compacts a file: its issues 4123 and 4247. */
    static boolean losesRows(String h2Version, String url) {
        return h2Version.startsWith("2.3.") && !url.contains(":mem:");
    }

    private Finding encryption() throws SQLException {
        if (dialect == TableDialect.H2) {
            return Finding.fine("encryption", "H2 runs on one machine");
        }
        String cipher =
                examination.first(MARIADB_CIPHER, row -> row.getString(2)).orElse("");
        String url = examination.connection().getMetaData().getURL();
        if (!cipher.isEmpty() || url.contains("//localhost") || url.contains("//127.")) {
            return Finding.fine(
                    "encryption", cipher.isEmpty() ? "none, and the connection does not leave the machine" : cipher);
        }
        return Finding.warning(
                "encryption",
                "the connection crosses the network without TLS",
                "Enable TLS on the server, and add sslMode=verify-full to the URL.");
    }

    private Finding clock() throws SQLException {
        ClockSkew skew = ClockSkew.begin();
        return examination.one(text.in(TableConnection.CLOCK), row -> skew.finding(row.getLong(1) / 1e6));
    }

    /** The statement needs the privileges to read and to insert. Columns without a default must be named. */
    private static String copyNothing(String table, String columns) {
        return "insert into " + table + " (" + columns + ") select " + columns + " from " + table + " where 1 = 0";
    }

    private boolean mayReadSequence() throws SQLException {
        Optional<String> column = layout.column(TableColumn.SEQUENCE);
        return dialect != TableDialect.POSTGRESQL
                || column.isEmpty()
                || examination
                        .first(
                                MAY_READ_SEQUENCE,
                                row -> row.getObject(1) == null || row.getBoolean(1),
                                text.in("{table}"),
                                column.get())
                        .orElse(true);
    }

    private Finding grants() throws SQLException {
        Map<String, List<String>> needed = new LinkedHashMap<>();
        needed.put("lock rows of the table", List.of(MAY_LOCK));
        if (!(layout.state() instanceof TableState.Presence)) {
            needed.put(
                    "mark rows of the table", List.of(layout.has(TableColumn.STATE) ? MAY_MARK_STATE : MAY_MARK_TIME));
        }
        needed.put("remove rows of the table", List.of(MAY_DELETE));
        needed.put("change waybill_relay", MAY_LEASE);
        needed.put("change waybill_claim", MAY_CLAIM);
        needed.put("change waybill_replay", MAY_REPLAY);
        needed.put("add to waybill_audit", MAY_RECORD);
        guard.ifPresent(table -> {
            String name = TableText.beside(layout, dialect, table);
            needed.put(
                    "change the guard " + table,
                    MAY_GUARD.stream().map(sql -> sql.replace("{guard}", name)).toList());
        });
        List<String> missing = new ArrayList<>();
        for (Map.Entry<String, List<String>> each : needed.entrySet()) {
            if (!mayRun(each.getValue())) {
                missing.add(each.getKey());
            }
        }
        if (!mayReadSequence()) {
            missing.add("read the sequence of the table");
        }
        return missing.isEmpty()
                ? Finding.fine("grants", "this user may run the relay")
                : Finding.warning(
                        "grants",
                        "this user may not " + String.join(", ", missing),
                        "That is enough to look. If the relay runs as this user, grant it these privileges.");
    }

    private boolean mayRun(List<String> statements) throws SQLException {
        for (String statement : statements) {
            if (!examination.mayRun(text.in(statement))) {
                return false;
            }
        }
        return true;
    }

    /** Polling needs an index on the state or on the order; otherwise it reads every row. */
    private Finding indexes() throws SQLException {
        if (dialect == TableDialect.POSTGRESQL) {
            List<String> invalid = examination.query(INVALID_INDEXES, row -> row.getString(1), text.in("{table}"));
            if (!invalid.isEmpty()) {
                return Finding.problem(
                        "indexes",
                        "invalid: " + String.join(", ", invalid) + "; polling may read the whole table",
                        "Rebuild it with reindex index concurrently.");
            }
        }
        Set<String> leading = leadingColumns();
        List<TableColumn> useful = new ArrayList<>(
                List.of(TableColumn.STATE, TableColumn.PUBLISHED_AT, TableColumn.SEQUENCE, TableColumn.CREATED_AT));
        if (!layout.isOrdered()) {
            useful.add(TableColumn.ID);
        }
        for (TableColumn column : useful) {
            @Nullable String name = layout.column(column).orElse(null);
            if (name != null && leading.contains(name.toLowerCase(Locale.ROOT))) {
                return Finding.fine("indexes", "polling uses an index that begins with " + name);
            }
        }
        return Finding.problem(
                "indexes",
                "no index of " + layout.tableName() + " helps to find pending rows: every poll reads the whole table",
                "Run " + createIndex() + ".");
    }

    /** Serves polling on every database. */
    private String createIndex() {
        List<String> columns = new ArrayList<>();
        if (layout.has(TableColumn.STATE)) {
            columns.add("{state}");
        } else if (layout.has(TableColumn.PUBLISHED_AT)) {
            columns.add("{published_at}");
        }
        if (layout.has(TableColumn.SEQUENCE)) {
            columns.add("{sequence}");
        } else {
            columns.addAll(layout.has(TableColumn.CREATED_AT) ? List.of("{created_at}", "{id}") : List.of("{id}"));
        }
        String name = dialect.quote("idx_" + layout.table() + "_pending");
        return text.in("create index " + name + " on {table} (" + String.join(", ", columns) + ")");
    }

    private Set<String> leadingColumns() throws SQLException {
        Set<String> leading = new HashSet<>();
        Connection connection = examination.connection();
        DatabaseMetaData server = connection.getMetaData();
        // Other schemas may have a table of the same name.
        @Nullable String here = dialect == TableDialect.MARIADB ? connection.getCatalog() : connection.getSchema();
        @Nullable String schema = layout.schema().orElse(here);
        Set<String> names = new HashSet<>(List.of(layout.table()));
        if (dialect == TableDialect.H2) {
            names.add(layout.table().toUpperCase(Locale.ROOT));
        }
        for (String name : names) {
            try (ResultSet row = dialect == TableDialect.MARIADB
                    ? server.getIndexInfo(schema, null, name, false, true)
                    : server.getIndexInfo(null, schema, name, false, true)) {
                while (row.next()) {
                    if (row.getInt("ORDINAL_POSITION") == 1 && row.getString("COLUMN_NAME") != null) {
                        leading.add(
                                row.getString("COLUMN_NAME").replace("\"", "").toLowerCase(Locale.ROOT));
                    }
                }
            }
        }
        return leading;
    }
}
