package dev.waybill.bench.servers;

import dev.waybill.embedded.TcpProxy;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How the servers are reached: directly, or over a delayed link to one of them. */
final class Links implements AutoCloseable {
    private final int databasePort;
    private final @Nullable TcpProxy database;
    private final @Nullable TcpProxy broker;
    private final LongAdder roundTrips = new LongAdder();
    private volatile int brokerPort;

    Links(Distance distance, int databasePort) {
        this.databasePort = databasePort;
        this.database =
                distance == Distance.DATABASE ? Distance.link("database", () -> databasePort, roundTrips) : null;
        this.broker = distance == Distance.BROKER ? Distance.link("broker", () -> brokerPort, new LongAdder()) : null;
    }

    /** A broker behind a link tells its clients the address of the link. */
    Map<String, String> brokerSettings() {
        return broker == null ? Map.of() : Map.of("advertised.listeners", "PLAINTEXT://127.0.0.1:" + broker.port());
    }

    void forwardTo(String bootstrapServers) {
        brokerPort = Integer.parseInt(bootstrapServers.substring(bootstrapServers.lastIndexOf(':') + 1));
    }

    boolean any() {
        return database != null || broker != null;
    }

    /** To the database, if it is behind a link. */
    long roundTrips() {
        return roundTrips.sum();
    }

    String jdbcUrl(String direct) {
        return database == null ? direct : direct.replace(":" + databasePort + "/", ":" + database.port() + "/");
    }

    String bootstrapServers(String direct) {
        return broker == null ? direct : "127.0.0.1:" + broker.port();
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
        if (broker != null) {
            broker.close();
        }
    }
}
