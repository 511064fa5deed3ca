package dev.waybill.server.api;

import dev.waybill.server.access.QuickHash;
import dev.waybill.server.access.TokenHash;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.HttpServer;
import dev.waybill.server.live.OwnRelays;
import dev.waybill.server.live.Sampler;
import dev.waybill.testkit.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The API on a free port, with a user, and tokens of both roles. */
final class ServedApi implements AutoCloseable {
    static final String PASSWORD = QuickHash.PASSWORD;
    static final String VIEWER = TokenHash.newToken();
    static final String OPERATOR = TokenHash.newToken();
    static final String OTHER_OPERATOR = TokenHash.newToken();
    static final String NOBODY = "";

    /** A store and a destination that are not there. */
    static final String AWAY = """
            stores:
              away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
            destinations:
              rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/", connect-timeout: 100ms }
            relays:
              one: { store: away, destination: rabbit }
            """;

    private final Installation installation;
    private final Sampler sampler;
    private final AdminApi api;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServedApi(Installation installation) throws Exception {
        this.installation = installation;
        this.sampler = new Sampler(installation, new OwnRelays());
        this.api = new AdminApi(installation, sampler);
        this.server = HttpServer.start(installation.serving().address(), Map.of(), api);
        sampler.start();
    }

    /** @param more keys of the section server */
    static ServedApi start(Path directory, String more, String rest) throws Exception {
        String file = """
                server:
                  port: 0
                  users: { ada: { password: "%1$s", role: operator }, mallory: { password: "%1$s" } }
                  tokens:
                    watcher: { hash: "%2$s" }
                    bob: { hash: "%3$s", role: operator }
                    eve: { hash: "%4$s", role: operator }
                """.formatted(QuickHash.HASH, hash(VIEWER), hash(OPERATOR), hash(OTHER_OPERATOR));
        String all = file + (more.isEmpty() ? "" : "  " + more + "\n") + rest;
        return new ServedApi(Installation.read(Files.writeString(directory.resolve("waybill.yaml"), all)));
    }

    private static String hash(String token) {
        return TokenHash.make(token).text();
    }

    RouteTable table() {
        return api.table();
    }

    int port() {
        return server.port();
    }

    HttpRequest.Builder request(String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static HttpRequest.Builder json(HttpRequest.Builder request, String body) {
        return request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    }

    HttpResponse<String> get(String path, String token) throws Exception {
        return send(request(path, token));
    }

    HttpResponse<String> post(String path, String token, String body) throws Exception {
        return send(json(request(path, token), body));
    }

    /** The answer of a request that must succeed. */
    JsonNode read(String path, String token) throws Exception {
        return tree(get(path, token));
    }

    JsonNode change(String path, String token, String body) throws Exception {
        return tree(post(path, token, body));
    }

    private static JsonNode tree(HttpResponse<String> response) {
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return JsonMapper.shared().readTree(response.body());
    }

    /** The operation when it has ended. */
    JsonNode ended(JsonNode operation) throws Exception {
        JsonNode[] last = {operation};
        Await.until("the end of the operation", () -> {
            last[0] = read("/api/operations/" + operation.get("id").asString(), VIEWER);
            return last[0].has("endedAt");
        });
        return last[0];
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        api.close();
        server.close();
        sampler.close();
        installation.close();
    }
}
