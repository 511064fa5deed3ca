package dev.waybill.standin;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import java.time.Duration;

/**
 * The stand-in for a replica set of MongoDB, on a free loopback port. It keeps everything in memory, and copies a collection for each
 * transaction that touches it, so it is for some thousands of documents. It proves nothing about the guarantees of a real server.
 */
public final class MongoStandIn implements AutoCloseable {
    /** MongoDB's own default, transactionLifetimeLimitSeconds. */
    private static final Duration TRANSACTION_LIFETIME = Duration.ofSeconds(60);

    private final MongoServer server;
    private final MongoProxy proxy;

    private MongoStandIn(Duration transactionLifetime, CommandFaults faults) {
        this.server = new MongoServer(new ReplicaSetBackend(transactionLifetime).version(ServerVersion.MONGO_5_0));
        this.proxy = new MongoProxy(server.bind().getPort(), faults);
    }

    /**
     * @param transactionLifetime after this time a transaction that its client left open is aborted
     */
    public static MongoStandIn start(Duration transactionLifetime) {
        return new MongoStandIn(transactionLifetime, CommandFaults.NONE);
    }

    /** @param faults of the commands that are to fail */
    public static MongoStandIn failingBy(CommandFaults faults) {
        return new MongoStandIn(TRANSACTION_LIFETIME, faults);
    }

    public String uri() {
        return "mongodb://127.0.0.1:" + proxy.port() + "/?directConnection=true";
    }

    /** How many commands wait for a transaction to end. */
    public int waiting() {
        return proxy.waiting();
    }

    @Override
    public void close() {
        proxy.close();
        server.shutdownNow();
    }
}
