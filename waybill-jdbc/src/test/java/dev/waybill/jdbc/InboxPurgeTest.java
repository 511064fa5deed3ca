package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.PurgeableInbox;
import dev.waybill.admin.PurgeStep;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the consumer runtime runs now and then: a step reads no more than it deletes, however large the inbox is. */
class InboxPurgeTest {
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
    void a_step_reads_what_it_deletes_and_goes_through_the_transactions_of_the_runtime(
            TableDialect dialect, String layoutName) throws SQLException {
        InboxLayout layout = InboxDatabase.layout(layoutName);
        InboxDatabase inbox = InboxDatabase.create(dialect, layout);
        fill(inbox, layout);

        assertThat(read(inbox, layout)).as("rows read for a step").isBetween((long) STEP, 2L * STEP + 10);

        PurgeableInbox<Connection> purging = inbox.inbox;
        JdbcTransactions transactions = JdbcTransactions.on(inbox.database.dataSource());
        int deleted = 0;
        PurgeStep step;
        do {
            step = transactions.call(open -> purging.purge(open, purging.replayWindow(), STEP));
            deleted += step.deleted();
        } while (step.more());
        assertThat(deleted).isEqualTo(dialect == TableDialect.MARIADB ? OLD - STEP : OLD);
        assertThat(inbox.database.rows("select * from " + layout.tableName())).hasSize(ROWS - OLD);
    }

    private static void fill(InboxDatabase inbox, InboxLayout layout) throws SQLException {
        String time = layout.form() == InboxLayout.Form.WAYBILL ? "handled_at" : "processed_at";
        String consumer = switch (layout.form()) {
            case WAYBILL -> "consumer";
            case PROCESSED_EVENTS -> "source";
            case CONSUMER_GROUPS -> "consumer_group";
        };
        boolean uuids = layout.form() == InboxLayout.Form.PROCESSED_EVENTS;
        String young = "insert into " + layout.tableName() + " (" + consumer + ", event_id, " + time + ") select 'c', ";
        switch (inbox.database.dialect()) {
            case POSTGRESQL ->
                inbox.database.execute(young + (uuids ? "gen_random_uuid()" : "'e' || n")
                        + ", current_timestamp - case when n <= " + OLD
                        + " then interval '90 days' else interval '1 hour' end from generate_series(1, " + ROWS
                        + ") n");
            case MARIADB ->
                inbox.database.execute(young + "concat('e', seq), if(seq <= " + OLD
                        + ", current_timestamp(6) - interval 90 day, current_timestamp(6)) from seq_1_to_" + ROWS);
            case H2 ->
                inbox.database.execute(young + "'e' || x, dateadd('DAY', casewhen(x <= " + OLD
                        + ", -90, 0), current_timestamp) from system_range(1, " + ROWS + ")");
        }
    }

    /** How many rows the database reads for one step, as it counts itself. */
    private static long read(InboxDatabase inbox, InboxLayout layout) throws SQLException {
        String purge = new InboxSql(layout, inbox.database.dialect())
                .purge
                .replaceFirst("\\?", Long.toString(layout.replayWindow().toMillis()))
                .replaceFirst("\\?", Integer.toString(STEP));
        try (Connection connection = inbox.database.begin();
                Statement statement = connection.createStatement()) {
            return switch (inbox.database.dialect()) {
                case POSTGRESQL -> {
                    statement.execute("analyze " + layout.tableName());
                    String plan = text(statement, "explain (analyze, costs off, timing off) " + purge);
                    assertThat(plan).doesNotContain("Seq Scan");
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
