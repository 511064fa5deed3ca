package dev.waybill.testkit.random;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;

/** One transaction and its events. Every event is logged once its outcome is known. */
final class OpenTransaction {
    private static final String LOCK = "select counter from aggregate where id = ? for update";
    private static final String COUNT = "update aggregate set counter = ? where id = ?";

    private final Connection connection;
    private final Scene scene;
    private final Random random;
    private final List<UUID> events = new ArrayList<>();

    OpenTransaction(Connection connection, Scene scene, Random random) throws SQLException {
        this.connection = connection;
        this.scene = scene;
        this.random = random;
        int chance = random.nextInt(10);
        execute("set transaction isolation level "
                + (chance < 7 ? "read committed" : chance < 9 ? "repeatable read" : "serializable"));
    }

    void takeXid() throws SQLException {
        execute("select pg_current_xact_id()");
    }

    /** Locks the aggregate's row, increments its counter, and appends, as an application does. */
    void append(String key) throws SQLException {
        long n = lock(key) + 1;
        Scene.pause(random, 500);
        try (PreparedStatement count = connection.prepareStatement(COUNT)) {
            count.setLong(1, n);
            count.setString(2, key);
            count.executeUpdate();
        }
        events.add(scene.load().target().append(connection, key, n));
    }

    private long lock(String key) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            lock.setString(1, key);
            try (ResultSet counter = lock.executeQuery()) {
                counter.next();
                return counter.getLong(1);
            }
        }
    }

    /** Appends and rolls back to a savepoint. */
    void appendAndUndo(String key) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        int before = events.size();
        append(key);
        Scene.pause(random, 1000);
        connection.rollback(savepoint);
        List<UUID> undone = events.subList(before, events.size());
        scene.log().failed(undone);
        undone.clear();
    }

    void appendInSavepoint(String key) throws SQLException {
        Savepoint savepoint = connection.setSavepoint();
        append(key);
        connection.releaseSavepoint(savepoint);
    }

    /** Uses more subtransactions than the server keeps in memory. */
    void appendUnderManySavepoints(String key) throws SQLException {
        execute("do $$ begin for i in 1..70 loop begin update aggregate set touched = i where id = '" + key
                + "'; exception when division_by_zero then null; end; end loop; end $$");
        appendInSavepoint(key);
    }

    void commit() throws SQLException {
        if (ended(connection::commit)) {
            tell(scene.log()::ok);
        }
    }

    /**
     * First phase of a two-phase commit.
     *
     * @return whether it is prepared; otherwise it is rolled back
     */
    boolean prepare(String gid) throws SQLException {
        return ended(() -> execute("prepare transaction '" + gid + "'"));
    }

    private interface Ending {
        void run() throws SQLException;
    }

    private boolean ended(Ending ending) throws SQLException {
        try {
            ending.run();
            return true;
        } catch (SQLException e) {
            switch (Failure.of(e)) {
                case CONFLICT -> rollback();
                case CONNECTION_LOST -> {
                    forget();
                    throw e;
                }
            }
            return false;
        }
    }

    /** Second phase, on any connection that is not in a transaction. */
    void finishPrepared(String gid, Connection any) throws SQLException {
        boolean commit = random.nextInt(4) > 0;
        boolean autoCommit = any.getAutoCommit();
        any.setAutoCommit(true);
        try (Statement statement = any.createStatement()) {
            statement.execute((commit ? "commit" : "rollback") + " prepared '" + gid + "'");
        } catch (SQLException e) {
            forget();
            throw e;
        }
        any.setAutoCommit(autoCommit);
        tell(commit ? scene.log()::ok : scene.log()::failed);
    }

    void rollback() throws SQLException {
        abandon();
        connection.rollback();
        scene.rollbacks().incrementAndGet();
    }

    /** Called when the connection is lost before a commit was requested. */
    void abandon() {
        tell(scene.log()::failed);
    }

    /** Called when the outcome of the transaction stays unknown. */
    void forget() {
        tell(scene.log()::unknown);
    }

    private void tell(Consumer<List<UUID>> fate) {
        fate.accept(events);
        events.clear();
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
