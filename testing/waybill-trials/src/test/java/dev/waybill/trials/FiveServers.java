package dev.waybill.trials;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.embedded.RabbitServer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Additional servers for five relays: RabbitMQ, Pub/Sub, and a database server that can be stopped. */
final class FiveServers implements AutoCloseable {
    private final RabbitServer rabbit;
    private final PubSubEmulator pubSub;
    private final PostgresServer other;
    private final Map<DataSource, String> urls = new HashMap<>();

    private FiveServers(RabbitServer rabbit, PubSubEmulator pubSub, PostgresServer other) {
        this.rabbit = rabbit;
        this.pubSub = pubSub;
        this.other = other;
    }

    static FiveServers start() {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        Optional<PubSubEmulator> pubSub = PubSubEmulator.startIfInstalled();
        assumeTrue(pubSub.isPresent(), "Google's Pub/Sub emulator is not installed here");
        return new FiveServers(RabbitServer.start(), pubSub.orElseThrow(), PostgresServer.start());
    }

    RabbitServer rabbit() {
        return rabbit;
    }

    String pubSub() {
        return pubSub.address();
    }

    /** The server of the polyshop outbox. */
    DataSource newDatabase(String name) {
        PostgresServer server = name.equals(FiveRelays.POLYSHOP) ? other : TrialServers.postgres();
        String database = server.createDatabase(name);
        DataSource dataSource = server.dataSource(database);
        urls.put(dataSource, server.jdbcUrl(database));
        return dataSource;
    }

    String urlOf(DataSource dataSource) {
        return urls.get(dataSource);
    }

    /** Runs the action while the database server of the polyshop and RabbitMQ are stopped as in a crash. */
    void without(Meanwhile meanwhile) throws Exception {
        rabbit.syncDeclarations();
        other.stopImmediately();
        rabbit.stopImmediately();
        try {
            meanwhile.happens();
        } finally {
            other.restart();
            rabbit.restart();
        }
    }

    interface Meanwhile {
        void happens() throws Exception;
    }

    @Override
    public void close() {
        other.close();
        pubSub.close();
        rabbit.close();
    }
}
