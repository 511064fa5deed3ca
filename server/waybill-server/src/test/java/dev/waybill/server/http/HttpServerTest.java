package dev.waybill.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class HttpServerTest {
    /** 64 workers, and a queue of 100. */
    private static final int AT_ONCE = 164;

    /** So many of the longest fill the memory for bodies. */
    private static final int BODIES_AT_ONCE = 16;

    private static HttpServer serve(Function<Request, Outcome> handler) throws Exception {
        return HttpServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("/health", () -> Answer.line("200 OK", "ok")),
                handler);
    }

    @Test
    void health_is_answered_while_all_workers_are_busy_and_more_requests_are_refused() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        try (HttpServer server = serve(request -> {
                    waitFor(free);
                    return Answer.line("200 OK", "late");
                });
                HalfSent requests = new HalfSent(server.port())) {
            for (int i = 0; i < AT_ONCE + 1; i++) {
                requests.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            assertThat(requests.answer(AT_ONCE)).startsWith("HTTP/1.1 503 ");
            requests.send("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(requests.answer(AT_ONCE + 1)).startsWith("HTTP/1.1 200 ").endsWith("ok\n");
            free.countDown();
            for (int i = 0; i < AT_ONCE; i++) {
                assertThat(requests.answer(i)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void a_body_arrives_whole_in_whatever_pieces_it_is_sent() throws Exception {
        try (HttpServer server = serve(request -> Answer.ok("text/plain", request.body()));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String body = "x".repeat(100_000);
            String all = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            for (int from = 0; from < all.length(); from += 7_919) {
                socket.getOutputStream()
                        .write(all.substring(from, Math.min(all.length(), from + 7_919))
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
            }
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n" + body);
        }
    }

    @Test
    void a_stream_goes_on_until_it_ends_and_a_client_that_does_not_read_is_disconnected() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        AtomicReference<EventStream> opened = new AtomicReference<>();
        try (HttpServer server = serve(request -> {
            EventStream stream = new EventStream(Map.of(), closed::incrementAndGet);
            opened.set(stream);
            return stream;
        })) {
            try (Socket socket = open(server)) {
                Await.until("the stream", () -> opened.get() != null);
                opened.get().send("news", "{}");
                opened.get().end();
                InputStream in = socket.getInputStream();
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .contains("text/event-stream")
                        .endsWith("event: news\ndata: {}\n\n");
            }
            Await.until("the end of the stream", () -> closed.get() == 1);
            opened.set(null);
            try (Socket unread = open(server)) {
                Await.until("another stream", () -> opened.get() != null);
                String line = "x".repeat(100_000);
                Await.until("the client to be disconnected", () -> {
                    opened.get().send("news", line);
                    return closed.get() == 2;
                });
                assertThat(unread.isConnected()).isTrue();
            }
        }
    }

    private static Socket open(HttpServer server) throws Exception {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.getOutputStream().write("GET /live HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    @Test
    void clients_that_announce_bodies_and_send_none_keep_nobody_else_from_sending_one() throws Exception {
        try (HttpServer server = serve(request -> Answer.ok("text/plain", request.body()));
                HalfSent requests = new HalfSent(server.port())) {
            for (int i = 0; i < BODIES_AT_ONCE; i++) {
                requests.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n");
            }
            requests.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi");
            assertThat(requests.answer(BODIES_AT_ONCE))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("hi");
            assertThat(requests.isEnded(0)).as("the one that waited longest").isTrue();
        }
    }

    @Test
    void a_client_that_waits_for_leave_to_send_its_body_gets_it() throws Exception {
        try (HttpServer server = serve(request -> Answer.ok("text/plain", request.body()));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream()
                    .write("POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String leave = "HTTP/1.1 100 Continue\r\n\r\n";
            socket.setSoTimeout(60_000);
            assertThat(new String(socket.getInputStream().readNBytes(leave.length()), StandardCharsets.US_ASCII))
                    .isEqualTo(leave);
            socket.getOutputStream().write("hi".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("hi");
        }
    }
}
