package dev.waybill.server.process;

import dev.waybill.server.config.Installation;
import dev.waybill.server.http.HealthServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All relays of an installation, and their health checks. */
public final class RunningProcess implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunningProcess.class);

    private final Installation installation;
    private final RunningRelays relays;
    private final HealthServer health;

    private RunningProcess(Installation installation, RunningRelays relays, HealthServer health) {
        this.installation = installation;
        this.relays = relays;
        this.health = health;
    }

    /**
     * @throws IOException if the address cannot be bound; then nothing runs
     */
    public static RunningProcess start(Installation installation) throws IOException {
        RunningRelays relays = new RunningRelays(installation);
        InetSocketAddress address = installation.serving().address();
        HealthServer health = HealthServer.start(address, relays::notReady);
        if (!address.getAddress().isLoopbackAddress()) {
            log.warn(
                    "/health and /ready can be reached from other machines at {}. They carry no data.",
                    address.getAddress().getHostAddress());
        }
        relays.start();
        log.info(
                "{} relays run; http://{}/ready says whether they make progress.",
                installation.relays().size(),
                health.at());
        return new RunningProcess(installation, relays, health);
    }

    int port() {
        return health.port();
    }

    @Override
    public void close() {
        log.info("Stopping: nothing more is sent; waiting for messages in flight.");
        health.close();
        relays.close();
        installation.close();
        log.info("Stopped; all leases are released.");
    }
}
