package dev.waybill.trials;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Several processes that compete for the rows of one table. */
final class Contest {
    private static final int KEYS = 2_000;
    private static final int ROWS_PER_TRANSACTION = 250;
    private final ContestedTable table;
    private final ContestedTable.Place place;
    private final String topic;
    private final List<RelayChild> running = new ArrayList<>();
    private int appended;

    private Contest(ContestedTable table, ContestedTable.Place place, String topic) {
        this.table = table;
        this.place = place;
        this.topic = topic;
    }

    /** Waits until all processes run and the table is empty. */
    static Contest start(Trial trial, ContestedTable table, int processes, Duration lease) throws Exception {
        ContestedTable.Place place = table.make();
        try (Connection connection = place.dataSource().getConnection()) {
            TableSchema.create(connection, TableLayout.preset(table.layout));
        }
        String topic = table + "." + place.name();
        Topics.make(List.of(topic));
        TableRelaySettings settings = new TableRelaySettings(
                place.url(), TrialServers.kafka().bootstrapServers(), table.layout, topic, lease);
        Contest contest = new Contest(table, place, topic);
        for (int i = 0; i < processes; i++) {
            contest.running.add(trial.opened(RelayChild.start(topic + "-" + (i + 1), settings)));
        }
        for (RelayChild child : contest.running) {
            child.awaitWords(RelayProcess.RUNS);
        }
        return contest;
    }

    String topic() {
        return topic;
    }

    void append(int rows) throws SQLException {
        try (Connection connection = place.dataSource().getConnection();
                PreparedStatement insert = connection.prepareStatement(table.insert)) {
            connection.setAutoCommit(false);
            for (int i = 1; i <= rows; i++) {
                insert.setString(1, UUID.randomUUID().toString());
                setKey(insert, appended++ % KEYS);
                insert.addBatch();
                if (i % ROWS_PER_TRANSACTION == 0 || i == rows) {
                    insert.executeBatch();
                    connection.commit();
                }
            }
        }
    }

    private void setKey(PreparedStatement insert, int key) throws SQLException {
        if (table == ContestedTable.NOTIFICATIONS_ON_MARIADB) {
            insert.setLong(2, key);
        } else {
            insert.setString(2, Integer.toString(key));
        }
    }

    long published() throws SQLException {
        try (Connection connection = place.dataSource().getConnection();
                PreparedStatement count = connection.prepareStatement(table.published);
                ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    void awaitPublished(long rows) throws Exception {
        Await.until(rows + " published rows", Duration.ofMinutes(3), () -> published() >= rows);
    }

    /** Suspends a process with SIGSTOP while it holds rows. */
    RelayChild freezeOneThatHoldsRows() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Await.until("one that holds rows", () -> {
            RelayChild child = running.get(turn.get() % running.size());
            child.freeze();
            if (!leasedBy(child).isEmpty()) {
                return true;
            }
            child.thaw();
            turn.incrementAndGet();
            return false;
        });
        return running.get(turn.get() % running.size());
    }

    /** Ids of the pending rows that the process has leased. */
    Set<String> leasedBy(RelayChild child) throws SQLException {
        Set<String> ids = new TreeSet<>();
        try (Connection connection = place.dataSource().getConnection();
                PreparedStatement select = connection.prepareStatement(table.leased)) {
            select.setString(1, "pid " + child.pid() + "/%");
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    ids.add(row.getString(1));
                }
            }
        }
        return ids;
    }
}
