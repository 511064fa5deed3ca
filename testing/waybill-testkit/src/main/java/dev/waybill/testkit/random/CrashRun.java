package dev.waybill.testkit.random;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;

/** A run on a server that crashes repeatedly while writers and a reader run; then the result is checked. */
public final class CrashRun {
    private static final int ROLLBACKS_BEFORE_CRASH = 30;
    private static final int MORE_ROLLBACKS = 100;

    private final PostgresServer server;
    private final TestDatabase database;
    private final Scene scene;
    private final Random random;

    private CrashRun(PostgresServer server, Load load) throws SQLException {
        this.server = server;
        this.database = new TestDatabase(server, load);
        this.scene = new Scene(database.dataSource(), load, ServerGate.withCrashes());
        this.random = new Random(load.seed());
    }

    public static Verdict of(PostgresServer server, Load load, int crashes, Reader.Maker maker)
            throws SQLException, InterruptedException {
        return new CrashRun(server, load).run(crashes, maker);
    }

    private Verdict run(int crashes, Reader.Maker maker) throws SQLException, InterruptedException {
        try (Reader reader = maker.open(database.dataSource(), random);
                Crew crew = new Crew(scene)) {
            ReadUntilDrained reading = new ReadUntilDrained(reader, scene.gate(), new Random(random.nextLong()));
            Future<List<ReadEvent>> read = crew.run(reading);
            crew.startWriting();
            for (int crash = 0; crash < crashes; crash++) {
                Scene.watch(scene.load().duration());
                if (crash % 2 == 0) {
                    rollBackUnderTheReader(reading, read);
                }
                crashAndRecover();
            }
            Scene.watch(scene.load().duration());
            crew.endWriting();
            database.finishPreparedBefore(Integer.MAX_VALUE, random);
            reading.drain();
            return Judge.judge(database.committed(), Crew.resultOf(read), scene.log());
        }
    }

    /**
     * While all transactions roll back, nothing flushes the WAL, so that the server forgets their xids when it crashes
     * although the reader has already recorded them.
     */
    private void rollBackUnderTheReader(ReadUntilDrained reading, Future<List<ReadEvent>> read)
            throws SQLException, InterruptedException {
        scene.holdCommits(true);
        int rollbacks = scene.rollbacks().get() + ROLLBACKS_BEFORE_CRASH;
        Await.until("rollbacks", () -> scene.rollbacks().get() >= rollbacks);
        rollBackMore();
        int emptyReads = reading.emptyReads() + 2;
        Await.until("a reader that has caught up", () -> reading.emptyReads() >= emptyReads || read.isDone());
        if (read.isDone()) {
            throw new IllegalStateException(
                    "The reader ended after " + Crew.resultOf(read).size() + " events.");
        }
    }

    /** Uses transactions that have ended: a snapshot already lists open ones, so they would not test anything. */
    private void rollBackMore() throws SQLException {
        try (Connection connection = scene.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < MORE_ROLLBACKS; i++) {
                statement.execute("select pg_current_xact_id()");
                connection.rollback();
            }
        }
    }

    private void crashAndRecover() throws SQLException {
        server.stopImmediately();
        scene.holdCommits(false);
        server.restart();
        scene.gate().serverIsBack();
        Scene.watch(Duration.ofMillis(random.nextInt(200)));
        database.finishPreparedBefore(scene.gate().generation(), random);
    }
}
