package dev.waybill.testkit.random;

import dev.waybill.embedded.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** A separate database for one run: the journal, and the aggregates that writers lock and count. */
final class TestDatabase {
    private static final int KEEPERS = 4;

    private final PostgresServer server;
    private final String name;
    private final Target target;

    TestDatabase(PostgresServer server, Load load) throws SQLException {
        this.server = server;
        this.target = load.target();
        this.name = server.createDatabase("windows");
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            load.target().create(connection);
            statement.execute(
                    "create table aggregate (id text primary key, counter bigint not null default 0, touched int)");
            createAggregates(connection, load);
        }
    }

    private static void createAggregates(Connection connection, Load load) throws SQLException {
        List<String> keys = new ArrayList<>(sharedKeys(load));
        for (int keeper = 0; keeper < KEEPERS; keeper++) {
            for (int slot = 0; slot < slotsPerKeeper(load); slot++) {
                keys.add(longKey(keeper, slot));
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("insert into aggregate (id) select unnest(?)")) {
            insert.setArray(1, connection.createArrayOf("text", keys.toArray()));
            insert.executeUpdate();
        }
    }

    /** The aggregates that all writers contend for. */
    static List<String> sharedKeys(Load load) {
        return IntStream.range(0, load.keys()).mapToObj(i -> "shared-" + i).toList();
    }

    /** An aggregate that successive long transactions may hold. */
    static String longKey(int keeper, int slot) {
        return "long-" + keeper + "-" + slot;
    }

    static int slotsPerKeeper(Load load) {
        return load.longTransactions() / KEEPERS;
    }

    DataSource dataSource() {
        return server.dataSource(name);
    }

    /** Does not start the writers; the caller runs them. */
    static List<KeepLongTransactions> keepers(Scene scene) {
        return IntStream.range(0, KEEPERS)
                .mapToObj(number -> new KeepLongTransactions(scene, number, slotsPerKeeper(scene.load())))
                .toList();
    }

    /** The committed events, as stored in the database. */
    List<Judge.Committed> committed() throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            return target.committed(connection);
        }
    }

    /** Ends the prepared transactions whose owners lost their connection before the given generation of the server. */
    void finishPreparedBefore(int generation, Random random) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String gid : preparedBefore(statement, generation)) {
                statement.execute((random.nextBoolean() ? "commit" : "rollback") + " prepared '" + gid + "'");
            }
        }
    }

    private static List<String> preparedBefore(Statement statement, int generation) throws SQLException {
        List<String> gids = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("select gid from pg_prepared_xacts"
                + " where database = current_database() and substring(gid from 'g(\\d+)-')::int < " + generation)) {
            while (row.next()) {
                gids.add(row.getString(1));
            }
        }
        return gids;
    }
}
