package dev.waybill.testkit.random;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

/** One writer: short transactions on shared aggregates, one after another, over one connection. */
final class WriteUntilStopped implements Callable<Void> {
    private final Scene scene;
    private final int number;
    private final Random random;
    private final List<String> keys;
    private int prepared;

    WriteUntilStopped(Scene scene, int number) {
        this.scene = scene;
        this.number = number;
        this.random = new Random(scene.load().seed() * 1000 + number);
        this.keys = new ArrayList<>(TestDatabase.sharedKeys(scene.load()));
    }

    @Override
    public Void call() throws SQLException {
        while (scene.writing()) {
            int generation = scene.gate().generation();
            try (Connection connection = scene.connect()) {
                while (scene.writing()) {
                    writeOnce(connection, generation);
                }
            } catch (SQLException e) {
                switch (Failure.of(e)) {
                    case CONFLICT -> throw e;
                    case CONNECTION_LOST -> scene.gate().awaitAfter(generation, e);
                }
            }
        }
        return null;
    }

    private void writeOnce(Connection connection, int generation) throws SQLException {
        OpenTransaction transaction = new OpenTransaction(connection, scene, random);
        try {
            appendSome(transaction);
        } catch (SQLException e) {
            switch (Failure.of(e)) {
                case CONFLICT -> transaction.rollback();
                case CONNECTION_LOST -> {
                    transaction.abandon();
                    throw e;
                }
            }
            return;
        }
        end(transaction, connection, generation);
    }

    private void appendSome(OpenTransaction transaction) throws SQLException {
        if (random.nextInt(4) == 0) {
            transaction.takeXid();
            Scene.pause(random, 20_000);
        }
        Collections.shuffle(keys, random);
        for (String key : keys.subList(0, 1 + random.nextInt(3))) {
            for (int events = 1 + random.nextInt(2); events > 0; events--) {
                appendOne(transaction, key);
            }
            Scene.pause(random, 2000);
        }
    }

    private void appendOne(OpenTransaction transaction, String key) throws SQLException {
        int chance = random.nextInt(100);
        if (chance < 10) {
            transaction.appendAndUndo(key);
        } else if (chance < 20) {
            transaction.appendInSavepoint(key);
        } else if (chance == 20) {
            transaction.appendUnderManySavepoints(key);
        } else {
            transaction.append(key);
        }
    }

    private void end(OpenTransaction transaction, Connection connection, int generation) throws SQLException {
        int chance = random.nextInt(100);
        if (scene.commitsHeld() || chance < scene.load().rollbackPercent()) {
            transaction.rollback();
        } else if (chance < 90) {
            transaction.commit();
        } else {
            String gid = "g" + generation + "-writer-" + number + "-" + prepared++;
            if (transaction.prepare(gid)) {
                Scene.pause(random, 15_000);
                transaction.finishPrepared(gid, connection);
            }
        }
    }
}
