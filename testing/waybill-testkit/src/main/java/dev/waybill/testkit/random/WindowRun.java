package dev.waybill.testkit.random;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.Await;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;

/**
 * One run on a server that stays up: writers and a reader run at the same time, then the result is checked.
 *
 * @param mostOpen maximum number of transactions in progress at the same time
 */
public record WindowRun(Verdict verdict, int mostOpen) {
    public static WindowRun of(PostgresServer server, Load load, Reader.Maker maker)
            throws SQLException, InterruptedException {
        TestDatabase database = new TestDatabase(server, load);
        Scene scene = new Scene(database.dataSource(), load, ServerGate.alwaysUp());
        try (Reader reader = maker.open(database.dataSource(), new Random(load.seed()));
                Crew crew = new Crew(scene)) {
            ReadUntilDrained reading = new ReadUntilDrained(reader, scene.gate(), new Random(load.seed() + 1));
            Future<List<ReadEvent>> read = crew.run(reading);
            crew.startWriting();
            Scene.watch(load.duration());
            Await.until("many open transactions", scene::manyWereOpen);
            crew.endWriting();
            reading.drain();
            Verdict verdict = Judge.judge(database.committed(), Crew.resultOf(read), scene.log());
            return new WindowRun(verdict, scene.mostOpen().get());
        }
    }
}
