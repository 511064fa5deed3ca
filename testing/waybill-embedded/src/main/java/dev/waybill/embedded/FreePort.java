package dev.waybill.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A loopback port for a server that will be stopped and started again on it. */
public final class FreePort {
    private static final int ATTEMPTS = 100;

    private FreePort() {}

    /**
     * Below the ports of outgoing connections: such a connection could take this port while the server is stopped, and a client
     * that tries to connect meanwhile could even reach itself.
     */
    public static int choose() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Taken: try another.
            }
        }
        throw new EmbeddedServerException("No free port on the loopback address in " + ATTEMPTS + " attempts.");
    }
}
