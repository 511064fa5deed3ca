package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.http.HalfSent;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of other sites, of other hosts, too large ones and malformed ones. */
class HostileRequestsTest {
    private static final String SEARCH = "/api/events/search";

    @TempDir
    private static Path directory;

    private static ServedApi api;

    @BeforeAll
    static void start() throws Exception {
        api = ServedApi.start(directory, "hosts: [waybill.example.org]", ServedApi.AWAY);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    private static String raw(String request) throws Exception {
        try (HalfSent sent = new HalfSent(api.port())) {
            sent.send(request);
            return sent.answer(0);
        }
    }

    private static String host(String path, String host) throws Exception {
        return raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + ServedApi.VIEWER
                + "\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "10.0.0.1.nip.io:80"})
    void a_name_that_leads_here_by_somebody_elses_dns_is_refused_also_for_reading(String name) throws Exception {
        assertThat(host("/api/overview", name)).startsWith("HTTP/1.1 421 ");
        assertThat(host("/ui/", name)).startsWith("HTTP/1.1 421 ");
    }

    @Test
    void own_names_and_addresses_in_numbers_are_accepted() throws Exception {
        for (String name : List.of("localhost", "LOCALHOST:8085", "127.0.0.1:1", "[::1]:8085", "waybill.example.org")) {
            assertThat(host("/api/overview", name)).as(name).startsWith("HTTP/1.1 200 ");
        }
    }

    private static HttpRequest.Builder search() {
        return ServedApi.json(api.request(SEARCH, ServedApi.VIEWER), "{\"store\":\"nothing\"}");
    }

    @Test
    void a_page_of_another_site_can_make_no_request() throws Exception {
        assertThat(api.send(search()).statusCode()).isEqualTo(404);
        for (String site : List.of("cross-site", "same-site", "none")) {
            assertThat(api.send(search().header("Sec-Fetch-Site", site)).statusCode())
                    .as(site)
                    .isEqualTo(403);
        }
        for (String origin : List.of(
                "https://evil.example",
                "null",
                "http://127.0.0.1:1",
                "http://127.0.0.1",
                "http://127.0.0.1@evil.example")) {
            assertThat(api.send(search().header("Origin", origin)).body())
                    .as(origin)
                    .contains("cross-site");
        }
        assertThat(api.send(search().header("Origin", "http://127.0.0.1:" + api.port())
                                .header("Sec-Fetch-Site", "same-origin"))
                        .statusCode())
                .isEqualTo(404);
        assertThat(api.send(api.request("/api/overview", ServedApi.VIEWER).header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void a_form_cannot_send_a_change() throws Exception {
        for (String type : List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")) {
            HttpRequest.Builder form = api.request(SEARCH, ServedApi.VIEWER)
                    .header("Content-Type", type)
                    .POST(HttpRequest.BodyPublishers.ofString("{\"store\":\"away\"}"));
            assertThat(api.send(form).statusCode()).as(type).isEqualTo(415);
        }
    }

    @Test
    void every_answer_protects_the_browser() throws Exception {
        for (String path : List.of("/ui/", "/api/whoami", "/api/overview", "/nothing")) {
            HttpResponse<String> answer = api.get(path, ServedApi.NOBODY);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .as(path)
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.headers().firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        }
    }

    @Test
    void malformed_bodies_are_bad_requests() throws Exception {
        for (String body : List.of(
                "",
                "[]",
                "1",
                "{",
                "{\"store\":\"a\"} {}",
                "{\"store\":\"a\",\"store\":\"b\"}",
                "{\"store\":1}",
                "{\"store\":\"away\",\"limit\":100000}",
                "{\"store\":\"away\",\"limit\":9007199254740993}",
                "{\"store\":\"away\",\"from\":\"yesterday\"}",
                "{\"store\":\"away\",\"type\":\"a\\u0000b\"}",
                "{\"store\":\"away\",\"state\":\"dead\"}",
                "{\"store\":\"away\",\"__proto__\":{}}",
                "{\"store\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}",
                "{\"store\":\"" + "x".repeat(500_000) + "\"}")) {
            assertThat(api.post(SEARCH, ServedApi.VIEWER, body).statusCode())
                    .as(body.substring(0, Math.min(60, body.length())))
                    .isEqualTo(400);
        }
    }

    @Test
    void malformed_and_oversized_requests_are_refused() throws Exception {
        String start = "POST " + SEARCH + " HTTP/1.1\r\nHost: localhost\r\n";
        assertThat(raw(start + "Content-Length: 2000000\r\n\r\n")).startsWith("HTTP/1.1 413 ");
        assertThat(raw(start + "Content-Length: 99999999999999999999\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(raw(start + "Content-Length: -1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(raw(start + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw(start + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")).startsWith("HTTP/1.1 411 ");
        assertThat(raw("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw("GET /api/whoami HTTP/1.1\r\nHost : localhost\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(raw("GET http://evil.example/api/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw("GET /api/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n")).matches("(?s)HTTP/1.1 40[01] .*");
        assertThat(raw("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n" + "X: y\r\n".repeat(200) + "\r\n"))
                .startsWith("HTTP/1.1 431 ");
        assertThat(raw("\u0016\u0003\u0001 not HTTP\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    /** Not even where a proxy lets one through: what follows would be a header that the proxy did not see. */
    @Test
    void a_carriage_return_alone_does_not_end_a_line() throws Exception {
        String smuggled = raw("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\nX-Note: hi\rAuthorization: Bearer "
                + ServedApi.OPERATOR + "\r\n\r\n");
        assertThat(smuggled).startsWith("HTTP/1.1 400 ").doesNotContain("operator");
        assertThat(raw("GET /api/whoami HTTP/1.1\rX: y\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(raw("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\nX: \r\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void a_line_feed_alone_does_not_end_a_line_either() throws Exception {
        for (String end : List.of("\r\n\r\n", "\n\n", "\n\r\n")) {
            assertThat(raw("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\nX-Note: hi\nAuthorization: Bearer "
                            + ServedApi.OPERATOR + end))
                    .startsWith("HTTP/1.1 400 ")
                    .doesNotContain("operator");
        }
        assertThat(raw("GET /health HTTP/1.1\nHost: localhost\n\n")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void a_part_of_the_path_that_is_not_encoded_correctly_is_a_bad_request() throws Exception {
        for (String token : List.of(ServedApi.NOBODY, ServedApi.VIEWER)) {
            assertThat(raw("GET /api/events/away/%zz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("bad-request");
        }
    }

    /** Otherwise nothing could be opened or changed in the store. */
    @Test
    void a_password_that_is_also_a_name_hides_no_name(@TempDir Path other) throws Exception {
        try (ServedApi same = ServedApi.start(other, "", """
                stores:
                  orders: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/x", user: x, password: orders }
                destinations:
                  rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
                relays:
                  orders: { store: orders, destination: rabbit }
                """)) {
            assertThat(same.get("/api/relays/orders/orders", ServedApi.VIEWER).body())
                    .contains("\"store\":\"orders\",\"relay\":\"orders\"");
        }
    }

    @Test
    void the_head_of_the_stream_is_no_stream() throws Exception {
        String head = raw(
                "HEAD /api/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + ServedApi.VIEWER + "\r\n\r\n");
        assertThat(head)
                .startsWith("HTTP/1.1 200 ")
                .contains("text/event-stream")
                .endsWith("\r\n\r\n");
    }

    @Test
    void unknown_parameters_are_refused() throws Exception {
        assertThat(api.get("/api/audit?token=x", ServedApi.VIEWER).statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/../config/example.yaml",
                "/ui/..%2fconfig/example.yaml",
                "/ui/%2e%2e/config/example.yaml",
                "/ui//etc/passwd",
                "/ui/.hidden.txt",
                "/ui/assets/../../config/example.yaml"
            })
    void no_file_outside_the_console_is_served(String path) throws Exception {
        String answer = host(path, "localhost");
        assertThat(answer).doesNotContain("relays:", "root:");
        assertThat(answer).matches("(?s)HTTP/1.1 (404|200) .*");
    }

    @Test
    void every_page_of_the_console_is_the_same_file_and_missing_assets_are_not() throws Exception {
        String page = api.get("/ui/", ServedApi.NOBODY).body();
        assertThat(page).contains("<html");
        assertThat(api.get("/ui/relays/orders/orders-to-kafka", ServedApi.NOBODY)
                        .body())
                .isEqualTo(page);
        assertThat(api.get("/ui/dead-letters/kafka/orders.placed.v1.dlt", ServedApi.NOBODY)
                        .body())
                .isEqualTo(page);
        assertThat(api.get("/ui/assets/nothing.js", ServedApi.NOBODY).statusCode())
                .isEqualTo(404);
        assertThat(api.get("/", ServedApi.NOBODY).headers().firstValue("Location"))
                .contains("/ui/");
    }
}
