package dev.waybill.table.random;

import dev.waybill.AppendException;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.testkit.random.Crew;
import dev.waybill.testkit.random.Judge;
import dev.waybill.testkit.random.ReadEvent;
import dev.waybill.testkit.random.ReadUntilDrained;
import dev.waybill.testkit.random.Reader;
import dev.waybill.testkit.random.Scene;
import dev.waybill.testkit.random.ServerGate;
import dev.waybill.testkit.random.Verdict;
import dev.waybill.testkit.random.WriterLog;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * Writers in plain SQL for databases other than PostgreSQL: each locks an aggregate, counts, appends, and ends after a random
 * time.
 */
final class RandomCommits {
    private static final Duration DURATION = Duration.ofMillis(1_500);
    private static final int WRITERS = 8;
    private static final int KEYS = 60;
    private static final int LONGEST_MICROS = 150_000;
    private static final Pattern NUMBER = Pattern.compile("\"n\": ?(\\d+)");

    private final DataSource source;
    private final TableLayout layout;
    private final long seed;
    private final WriterLog log = new WriterLog();
    private volatile boolean writing = true;

    RandomCommits(DataSource source, TableLayout layout, long seed) {
        this.source = source;
        this.layout = layout;
        this.seed = seed;
    }

    Verdict read(Reader.Maker maker) throws SQLException, InterruptedException {
        createAggregates();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Reader reader = maker.open(source, new Random(seed))) {
            ReadUntilDrained reading = new ReadUntilDrained(reader, ServerGate.alwaysUp(), new Random(seed + 1));
            Future<List<ReadEvent>> read = threads.submit(reading);
            List<Future<Void>> writers = new ArrayList<>();
            for (int number = 0; number < WRITERS; number++) {
                writers.add(threads.submit(writer(new Random(seed * 1_000 + number))));
            }
            Scene.watch(DURATION);
            writing = false;
            for (Future<Void> writer : writers) {
                Crew.resultOf(writer);
            }
            reading.drain();
            List<ReadEvent> events = Crew.resultOf(read);
            return Judge.judge(committed(), events, log);
        } finally {
            writing = false;
            threads.shutdownNow();
        }
    }

    private void createAggregates() throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table aggregate (id varchar(20) primary key, counter bigint not null)");
            for (int key = 0; key < KEYS; key++) {
                statement.execute("insert into aggregate values ('k" + key + "', 0)");
            }
        }
    }

    private Callable<Void> writer(Random random) {
        return () -> {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                while (writing) {
                    write(connection, random);
                }
            }
            return null;
        };
    }

    private void write(Connection connection, Random random) throws SQLException {
        List<UUID> events = new ArrayList<>();
        try {
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                String key = "k" + random.nextInt(KEYS);
                if (random.nextInt(10) == 0) {
                    Savepoint before = connection.setSavepoint();
                    UUID undone = append(connection, key);
                    connection.rollback(before);
                    log.failed(List.of(undone));
                } else {
                    events.add(append(connection, key));
                }
                Scene.pause(random, 2_000);
            }
            // Some transactions stay open while others come and go.
            Scene.pause(random, random.nextInt(4) == 0 ? LONGEST_MICROS : 1_000);
        } catch (SQLException | AppendException lostAgainstAnother) {
            connection.rollback();
            log.failed(events);
            return;
        }
        if (random.nextInt(100) < 15) {
            connection.rollback();
            log.failed(events);
        } else {
            connection.commit();
            log.ok(events);
        }
    }

    private UUID append(Connection connection, String key) throws SQLException {
        long n;
        try (PreparedStatement lock =
                connection.prepareStatement("select counter from aggregate where id = ? for update")) {
            lock.setString(1, key);
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                n = row.getLong(1) + 1;
            }
        }
        try (PreparedStatement count = connection.prepareStatement("update aggregate set counter = ? where id = ?")) {
            count.setLong(1, n);
            count.setString(2, key);
            count.executeUpdate();
        }
        Event event = Event.of("Counted").aggregate("counter", key).payload(Payload.json("{\"n\":" + n + "}"));
        JdbcOutbox.table(layout).append(connection, event);
        return UUID.fromString(event.id());
    }

    private List<Judge.Committed> committed() throws SQLException {
        String columns = String.join(
                ", ",
                Stream.of(TableColumn.ID, TableColumn.AGGREGATE_ID, TableColumn.PAYLOAD)
                        .map(column -> layout.column(column).orElseThrow())
                        .toList());
        List<Judge.Committed> rows = new ArrayList<>();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + columns + " from " + layout.tableName())) {
            while (row.next()) {
                Matcher n = NUMBER.matcher(row.getString(3));
                if (!n.find()) {
                    throw new IllegalStateException("Not the payload that was appended.");
                }
                UUID id = UUID.fromString(row.getString(1));
                rows.add(new Judge.Committed(new ReadEvent(id, row.getString(2), Long.parseLong(n.group(1))), "", 0));
            }
        }
        return rows;
    }
}
