package dev.waybill.bench.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class DelayedLinkTest {
    private static final Duration ONE_WAY = Duration.ofMillis(3);

    /** A server that sends back every byte of its only connection. */
    private static void echo(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Test
    void every_reply_to_a_request_is_late_and_counts_as_one_round_trip() throws IOException {
        LongAdder roundTrips = new LongAdder();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy link = new TcpProxy("test", server::getLocalPort, new DelayedLink(ONE_WAY, roundTrips));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), link.port())) {
            new Thread(() -> echo(server)).start();
            long begun = System.nanoTime();
            for (int request = 0; request < 5; request++) {
                client.getOutputStream().write(request);
                assertThat(client.getInputStream().read()).isEqualTo(request);
            }
            assertThat(System.nanoTime() - begun)
                    .isGreaterThanOrEqualTo(ONE_WAY.multipliedBy(2 * 5).toNanos());
            assertThat(roundTrips.sum()).isEqualTo(5);
        }
    }
}
