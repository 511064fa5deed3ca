package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Inbox;
import dev.waybill.Incoming;
import dev.waybill.PurgeableInbox;
import dev.waybill.admin.PurgeStep;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.tck.inbox.InboxContract;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The periodic purge of the consumer runtime: a step reads no more than it deletes, however large the inbox is and whatever other
 * consumers keep in it.
 */
class InboxPurgeTest {
    private static final String OWN = InboxContract.CONSUMER;
    private static final String OTHER = "accounting";
    private static final int ROWS = 5_000;
    private static final int OLD = 200;
    private static final int STEP = 50;

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, waybill",
        "POSTGRESQL, processed_events",
        "MARIADB, waybill",
        "MARIADB, consumer groups",
        "H2, waybill",
        "H2, consumer groups"
    })
    void a_step_reads_only_the_rows_that_it_deletes(TableDialect dialect, String layoutName) throws SQLException {
        InboxLayout layout = InboxDatabase.layout(layoutName);
        InboxDatabase inbox = InboxDatabase.create(dialect, layout);
        fill(inbox, layout);

        assertThat(read(inbox, layout)).as("rows read for a step").isBetween((long) STEP, 2L * STEP + 10);

        PurgeableInbox<Connection> purging = inbox.inbox;
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        int deleted = 0;
        PurgeStep step;
        do {
            step = transactions.call(open -> purging.purge(open, OWN, purging.replayWindow(), STEP));
            deleted += step.deleted();
        } while (step.more());
        assertThat(deleted).isEqualTo(dialect == TableDialect.MARIADB ? OLD - STEP : OLD);
        int others = layout.consumerColumn().isPresent() ? ROWS : 0;
        assertThat(inbox.database.rows("select * from " + layout.tableName())).hasSize(ROWS - OLD + others);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_purge_deletes_no_rows_of_another_consumer(TableDialect dialect) throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        for (String consumer : List.of(OWN, OTHER)) {
            handle(inbox, transactions, consumer);
        }
        inbox.database.execute("update waybill_inbox set handled_at = timestamp '2020-01-01 00:00:00'");

        PurgeStep step =
                transactions.call(open -> inbox.inbox.purge(open, OWN, InboxLayout.DEFAULT_REPLAY_WINDOW, 1_000));

        assertThat(step).isEqualTo(new PurgeStep(1, false));
        assertThat(handle(inbox, transactions, OTHER)).isEqualTo(Inbox.Outcome.DUPLICATE);
        assertThat(inbox.effects(OTHER)).isEqualTo(1);
        assertThat(handle(inbox, transactions, OWN)).isEqualTo(Inbox.Outcome.HANDLED);
    }

    @ParameterizedTest
    @CsvSource({"POSTGRESQL, waybill", "MARIADB, waybill", "H2, waybill", "MARIADB, consumer groups"})
    void an_old_table_gets_the_new_index_and_loses_the_old_one(TableDialect dialect, String layoutName)
            throws SQLException {
        InboxLayout layout = InboxDatabase.layout(layoutName);
        InboxDatabase inbox = InboxDatabase.create(dialect, layout);
        String table = layout.tableName();
        String time = layout.form() == InboxLayout.Form.WAYBILL ? "handled_at" : "processed_at";
        String of = dialect == TableDialect.MARIADB ? " on " + table : "";
        inbox.database.execute("drop index " + table + "_by_consumer" + of);
        inbox.database.execute("create index " + table + "_time on " + table + " (" + time + ")");

        try (Connection connection = inbox.database.connect()) {
            inbox.inbox.create(connection);
        }

        assertThat(indexes(inbox, table)).contains(table + "_by_consumer").doesNotContain(table + "_time");
        fill(inbox, layout);
        assertThat(read(inbox, layout)).isBetween((long) STEP, 2L * STEP + 10);
    }

    @ParameterizedTest
    @CsvSource({
        "POSTGRESQL, the_inbox_of_the_orders_service_for_payments_in_europe_, one, two",
        "H2, the_inbox_of_the_orders_service_for_payments_in_europe_, one, two",
        "MARIADB, the_inbox_of_the_orders_service_for_payments_in_europe_, one, two",
        "POSTGRESQL, inbox, '', _consumer",
        "H2, inbox, '', _consumer"
    })
    void tables_with_similar_names_have_different_index_names(TableDialect dialect, String same, String one, String two)
            throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxLayout.waybill());
        for (String table : List.of(same + one, same + two)) {
            try (Connection connection = inbox.database.connect()) {
                JdbcInbox.of(InboxLayout.waybill().table(table)).create(connection);
            }
        }
        int usual = indexes(inbox, InboxLayout.waybill().tableName()).size();
        assertThat(indexes(inbox, same + one)).hasSize(usual);
        assertThat(indexes(inbox, same + two)).hasSize(usual);
    }

    private static Inbox.Outcome handle(InboxDatabase inbox, JdbcTransactions transactions, String consumer) {
        return transactions.call(open ->
                inbox.inbox.handleOnce(open, consumer, Incoming.event("e1"), in -> inbox.leaveEffect(in, consumer)));
    }

    private static List<String> indexes(InboxDatabase inbox, String table) throws SQLException {
        String stored = inbox.dialect == TableDialect.H2 ? table.toUpperCase(Locale.ROOT) : table;
        List<String> names = new ArrayList<>();
        try (Connection connection = inbox.database.connect();
                ResultSet row = connection
                        .getMetaData()
                        .getIndexInfo(connection.getCatalog(), connection.getSchema(), stored, false, false)) {
            while (row.next()) {
                names.add(String.valueOf(row.getString("INDEX_NAME")).toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }

    /** As much of another consumer, and all of that old. */
    private static void fill(InboxDatabase inbox, InboxLayout layout) throws SQLException {
        fill(inbox, layout, OWN, OLD);
        if (layout.consumerColumn().isPresent()) {
            fill(inbox, layout, OTHER, ROWS);
        }
    }

    private static void fill(InboxDatabase inbox, InboxLayout layout, String name, int old) throws SQLException {
        String time = layout.form() == InboxLayout.Form.WAYBILL ? "handled_at" : "processed_at";
        String consumer = layout.consumerColumn().orElse("source");
        boolean uuids = layout.form() == InboxLayout.Form.PROCESSED_EVENTS;
        String young = "insert into " + layout.tableName() + " (" + consumer + ", event_id, " + time + ") select '"
                + name + "', ";
        switch (inbox.dialect) {
            case POSTGRESQL ->
                inbox.database.execute(young + (uuids ? "gen_random_uuid()" : "'e' || n")
                        + ", current_timestamp - case when n <= " + old
                        + " then interval '90 days' else interval '1 hour' end from generate_series(1, " + ROWS
                        + ") n");
            case MARIADB ->
                inbox.database.execute(young + "concat('e', seq), if(seq <= " + old
                        + ", current_timestamp(6) - interval 90 day, current_timestamp(6)) from seq_1_to_" + ROWS);
            case H2 ->
                inbox.database.execute(young + "'e' || x, dateadd('DAY', casewhen(x <= " + old
                        + ", -90, 0), current_timestamp) from system_range(1, " + ROWS + ")");
        }
    }

    /** How many rows the database reads for one step, as it counts itself. */
    private static long read(InboxDatabase inbox, InboxLayout layout) throws SQLException {
        String own = layout.consumerColumn().map(column -> column + " = ?").orElse("");
        String purge = new InboxSql(layout, inbox.dialect)
                .purge
                .replace(own, own.replace("?", "'" + OWN + "'"))
                .replaceFirst("\\?", Long.toString(layout.replayWindow().toMillis()))
                .replaceFirst("\\?", Integer.toString(STEP));
        try (Connection connection = inbox.database.begin();
                Statement statement = connection.createStatement()) {
            return switch (inbox.dialect) {
                case POSTGRESQL -> {
                    statement.execute("analyze " + layout.tableName());
                    String plan = text(statement, "explain (analyze, costs off, timing off) " + purge);
                    String index = layout.consumerColumn().isPresent() ? "_by_consumer" : "_time";
                    assertThat(plan).doesNotContain("Seq Scan").contains(layout.tableName() + index);
                    connection.rollback();
                    yield largest("rows=(\\d+)", plan);
                }
                case MARIADB -> {
                    statement.execute("flush status");
                    statement.execute(purge);
                    connection.commit();
                    long read = 0;
                    try (ResultSet row = statement.executeQuery("show session status like 'Handler_read%'")) {
                        while (row.next()) {
                            read += row.getLong(2);
                        }
                    }
                    yield read;
                }
                case H2 -> {
                    String plan = text(statement, "explain analyze " + purge);
                    connection.rollback();
                    yield largest("scanCount: (\\d+)", plan);
                }
            };
        }
    }

    private static String text(Statement statement, String sql) throws SQLException {
        StringBuilder text = new StringBuilder();
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                text.append(row.getString(1)).append('\n');
            }
        }
        return text.toString();
    }

    private static long largest(String number, String plan) {
        Matcher found = Pattern.compile(number).matcher(plan);
        long largest = 0;
        while (found.find()) {
            largest = Math.max(largest, Long.parseLong(found.group(1)));
        }
        return largest;
    }
}
