package dev.waybill.mongodb;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import java.time.Duration;

/** The stand-in for a replica set of MongoDB, on a free loopback port, for tests of other modules too. It keeps everything in memory. */
public final class MongoStandIn implements AutoCloseable {
    /** MongoDB's own default, transactionLifetimeLimitSeconds. */
    private static final Duration TRANSACTION_LIFETIME = Duration.ofSeconds(60);

    private final MongoServer server;
    private final MongoProxy proxy;

    private MongoStandIn(Duration transactionLifetime, MongoFaults faults) {
        this.server = new MongoServer(new ReplicaSetBackend(transactionLifetime).version(ServerVersion.MONGO_5_0));
        this.proxy = new MongoProxy(server.bind().getPort(), faults);
    }

    /**
     * @param transactionLifetime after this time a transaction that its client left open is aborted
     */
    public static MongoStandIn start(Duration transactionLifetime) {
        return new MongoStandIn(transactionLifetime, new MongoFaults());
    }

    static MongoStandIn failingBy(MongoFaults faults) {
        return new MongoStandIn(TRANSACTION_LIFETIME, faults);
    }

    public String uri() {
        return "mongodb://127.0.0.1:" + proxy.port() + "/?directConnection=true";
    }

    /** How many commands wait for a transaction to end. */
    int waiting() {
        return proxy.waiting();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
