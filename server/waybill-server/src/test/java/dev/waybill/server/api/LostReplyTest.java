package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The database has made a change, but its answer does not arrive. */
class LostReplyTest extends JournalApiFixture {

    /** Passes bytes on to a port, but no answer to a requeue. */
    private static final class Lossy implements AutoCloseable {
        private final ServerSocket in = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> sockets = new CopyOnWriteArrayList<>();
        private final int to;

        Lossy(int to) throws IOException {
            this.to = to;
            run(() -> {
                while (true) {
                    Socket client = in.accept();
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
                    sockets.add(client);
                    sockets.add(server);
                    AtomicBoolean lost = new AtomicBoolean();
                    run(() -> pass(client, server, lost, true));
                    run(() -> pass(server, client, lost, false));
                }
            });
        }

        private interface Piece {
            void run() throws IOException;
        }

        private static void run(Piece piece) {
            Thread thread = new Thread(() -> {
                try {
                    piece.run();
                } catch (IOException e) {
                    // It is closed.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private static void pass(Socket from, Socket to, AtomicBoolean lost, boolean asks) throws IOException {
            byte[] bytes = new byte[65_536];
            for (int n = from.getInputStream().read(bytes);
                    n >= 0;
                    n = from.getInputStream().read(bytes)) {
                if (asks && new String(bytes, 0, n, StandardCharsets.ISO_8859_1).contains("waybill.requeue")) {
                    lost.set(true);
                }
                if (asks || !lost.get()) {
                    to.getOutputStream().write(bytes, 0, n);
                }
            }
        }

        int port() {
            return in.getLocalPort();
        }

        int to() {
            return to;
        }

        void cut() throws IOException {
            for (Socket each : sockets) {
                each.close();
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
            cut();
        }
    }

    @Test
    void events_of_a_step_whose_answer_was_lost_count_as_unknown() throws Exception {
        journal.append("order.placed", 60);
        journal.relay("main", place -> new Settlement.Dead("no", true, false));
        String url = journal.url().replaceFirst("[?].*", "");
        try (Lossy lossy = new Lossy(URI.create(url.substring("jdbc:".length())).getPort());
                ServedApi other = ServedApi.start(
                        directory, "", """
                        stores:
                          orders: { type: postgres-journal, url: "%s", user: postgres }
                        destinations:
                          rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                        relays:
                          main: { store: orders, destination: rabbit }
                        """.formatted(url.replace(":" + lossy.to(), ":" + lossy.port())))) {
            JsonNode preview = other.change(
                    "/api/actions/preview",
                    O,
                    "{\"action\":\"requeue\",\"store\":\"orders\",\"relay\":\"main\",\"match\":{\"state\":\"dead\"}}");
            JsonNode begun = other.change(
                    "/api/actions/start",
                    O,
                    "{\"token\":\"" + preview.get("token").asString() + "\",\"rate\":40}");
            Await.until(
                    "the step",
                    () -> journal.number("select count(*) from waybill.parked where state <> 'dead'") == 20);
            lossy.cut();
            JsonNode ended = other.ended(begun);

            assertThat(ended.get("state").asString()).isEqualTo("failed");
            assertThat(ended.get("done").asString()).isEqualTo("0");
            assertThat(ended.get("unknown").asString()).isEqualTo("20");
            assertThat(ended.get("error").asString()).contains("20 events", "unknown");
        }
    }
}
