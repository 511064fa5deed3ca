package dev.waybill.testkit.random;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps many transactions open across many windows. Some take their xid long before they append, some append long before
 * they commit, some are prepared and wait for their second phase without a connection.
 */
final class KeepLongTransactions implements Callable<Void> {
    private static final int MOST_PREPARED = 8;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

    /** A connection, and the transaction that is open on it until it is due. */
    private static final class Slot {
        final Connection connection;
        final String key;

        @Nullable OpenTransaction transaction;

        long due;

        Slot(Connection connection, String key) {
            this.connection = connection;
            this.key = key;
        }
    }

    private record Prepared(OpenTransaction transaction, String gid, long due) {}

    private final Scene scene;
    private final int number;
    private final int slots;
    private final Random random;
    private final List<Slot> open = new ArrayList<>();
    private final List<Prepared> prepared = new ArrayList<>();
    private int counted;

    KeepLongTransactions(Scene scene, int number, int slots) {
        this.scene = scene;
        this.number = number;
        this.slots = slots;
        this.random = new Random(scene.load().seed() * 1000 + 500 + number);
    }

    @Override
    public Void call() throws SQLException {
        while (scene.writing()) {
            int generation = scene.gate().generation();
            try (Connection side = scene.connect()) {
                side.setAutoCommit(true);
                connect();
                keepOpen(side, generation);
                finishAll(side, generation);
            } catch (SQLException e) {
                switch (Failure.of(e)) {
                    case CONFLICT -> throw e;
                    case CONNECTION_LOST -> {
                        forgetAll();
                        scene.gate().awaitAfter(generation, e);
                    }
                }
            } finally {
                closeAll();
            }
        }
        return null;
    }

    private void connect() throws SQLException {
        for (int i = 0; i < slots; i++) {
            open.add(new Slot(scene.connect(), TestDatabase.longKey(number, i)));
        }
    }

    private void keepOpen(Connection side, int generation) throws SQLException {
        while (scene.writing()) {
            for (Slot slot : open) {
                if (slot.transaction == null) {
                    begin(slot);
                } else if (slot.due - System.nanoTime() < 0 && scene.manyWereOpen()) {
                    end(slot, generation);
                }
            }
            finishPrepared(side, one -> one.due() - System.nanoTime() < 0 && !scene.commitsHeld());
            noteHowManyAreOpen(side);
            Scene.pause(random, 10_000);
        }
    }

    private void begin(Slot slot) throws SQLException {
        OpenTransaction begun = new OpenTransaction(slot.connection, scene, random);
        slot.transaction = begun;
        slot.due = System.nanoTime() + randomUpTo(LONGEST_NANOS);
        begun.takeXid();
        if (random.nextBoolean()) {
            appended(slot, slot.key);
        }
    }

    /** Events appended now have a high seq and a low xid. */
    private void end(Slot slot, int generation) throws SQLException {
        boolean shared = random.nextBoolean();
        if (!appended(slot, shared ? anySharedKey() : slot.key)) {
            return;
        }
        OpenTransaction transaction = Objects.requireNonNull(slot.transaction);
        slot.transaction = null;
        int chance = random.nextInt(10);
        if (scene.commitsHeld() || chance < 2) {
            transaction.rollback();
        } else if (chance < 8 || prepared.size() >= MOST_PREPARED) {
            transaction.commit();
        } else {
            // No other writer can lock a shared aggregate before the second phase.
            prepare(transaction, generation, shared ? LONGEST_NANOS / 20 : LONGEST_NANOS);
        }
    }

    /** A conflict ends the transaction. */
    private boolean appended(Slot slot, String key) throws SQLException {
        try {
            Objects.requireNonNull(slot.transaction).append(key);
            return true;
        } catch (SQLException e) {
            if (Failure.of(e) == Failure.CONNECTION_LOST) {
                throw e;
            }
            Objects.requireNonNull(slot.transaction).rollback();
            slot.transaction = null;
            return false;
        }
    }

    private void prepare(OpenTransaction transaction, int generation, long longest) throws SQLException {
        String gid = "g" + generation + "-long-" + number + "-" + counted++;
        if (transaction.prepare(gid)) {
            prepared.add(new Prepared(transaction, gid, System.nanoTime() + randomUpTo(longest)));
        }
    }

    private long randomUpTo(long nanos) {
        return (long) (random.nextDouble() * nanos);
    }

    private String anySharedKey() {
        List<String> keys = TestDatabase.sharedKeys(scene.load());
        return keys.get(random.nextInt(keys.size()));
    }

    private void finishPrepared(Connection side, Predicate<Prepared> due) throws SQLException {
        for (Prepared one : List.copyOf(prepared)) {
            if (due.test(one)) {
                prepared.remove(one);
                one.transaction().finishPrepared(one.gid(), side);
            }
        }
    }

    private void noteHowManyAreOpen(Connection side) throws SQLException {
        try (Statement statement = side.createStatement();
                ResultSet count =
                        statement.executeQuery("select count(*) from pg_snapshot_xip(pg_current_snapshot())")) {
            count.next();
            scene.mostOpen().accumulateAndGet(count.getInt(1), Math::max);
        }
    }

    private void finishAll(Connection side, int generation) throws SQLException {
        for (Slot slot : open) {
            if (slot.transaction != null) {
                end(slot, generation);
            }
        }
        finishPrepared(side, one -> true);
    }

    private void forgetAll() {
        for (Slot slot : open) {
            if (slot.transaction != null) {
                slot.transaction.abandon();
            }
        }
        prepared.forEach(one -> one.transaction().forget());
        prepared.clear();
    }

    private void closeAll() throws SQLException {
        for (Slot slot : open) {
            slot.connection.close();
        }
        open.clear();
    }
}
