package dev.waybill.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * A loopback port for a server. No other server gets it from here, in this process or in another: each process takes its ports
 * from a block of its own, which it claims by listening on the first one until it ends.
 */
public final class FreePort {
    /**
     * Below the ports of outgoing connections: such a connection could take a port before the server does or while it is stopped,
     * and a client that tries to connect meanwhile could even reach itself.
     */
    private static final int FIRST = 15_000;

    private static final int BLOCK = 100;
    private static final int BLOCKS = 170;

    private static final List<ServerSocket> claims = new ArrayList<>();
    private static int next;
    private static int end;

    private FreePort() {}

    public static synchronized int choose() {
        while (true) {
            if (next == end) {
                claimBlock();
            }
            int port = next++;
            try (ServerSocket socket = listen(port)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Another program has it: try the next.
            }
        }
    }

    private static void claimBlock() {
        // A process that starts soon after another ended does not take its ports.
        long own = ProcessHandle.current().pid();
        for (int i = 0; i < BLOCKS; i++) {
            int first = FIRST + BLOCK * (int) ((own + i) % BLOCKS);
            try {
                claims.add(listen(first));
                next = first + 1;
                end = first + BLOCK;
                return;
            } catch (IOException e) {
                // Another process has claimed it: try the next.
            }
        }
        throw new EmbeddedServerException(
                "No free port on the loopback address: all " + BLOCKS + " blocks of ports are claimed.");
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
