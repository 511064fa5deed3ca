package dev.waybill.example.license.driver;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A topic of the emulator, by its REST interface. */
final class Topic {
    static final String PROJECT = "packfinderz";
    private static final Duration ANSWER = Duration.ofSeconds(20);
    /** The emulator sometimes closes a connection without an answer. */
    private static final int ATTEMPTS = 5;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final String name;

    /** A message with its attributes. */
    record Message(String body, Map<String, String> attributes) {}

    Topic(String address, String name) throws IOException, InterruptedException {
        this.address = address;
        this.name = name;
        call("PUT", "topics/" + name, "{}");
    }

    String name() {
        return name;
    }

    /** Without message ordering: the emulator delivers no later message of a key after its reader was killed. */
    void subscribe(String subscription) throws IOException, InterruptedException {
        call(
                "PUT",
                "subscriptions/" + subscription,
                "{\"topic\":\"projects/%s/topics/%s\",\"ackDeadlineSeconds\":10}".formatted(PROJECT, name));
    }

    /** Takes everything that has arrived. */
    List<Message> drain(String subscription) throws IOException, InterruptedException {
        List<Message> all = new ArrayList<>();
        while (true) {
            JsonNode pulled = call(
                            "POST",
                            "subscriptions/" + subscription + ":pull",
                            "{\"maxMessages\":1000,\"returnImmediately\":true}")
                    .path("receivedMessages");
            if (pulled.isEmpty()) {
                return all;
            }
            List<String> acknowledged = new ArrayList<>();
            for (JsonNode received : pulled) {
                all.add(message(received.path("message")));
                acknowledged.add(received.path("ackId").asString());
            }
            call(
                    "POST",
                    "subscriptions/" + subscription + ":acknowledge",
                    "{\"ackIds\":" + JSON.writeValueAsString(acknowledged) + "}");
        }
    }

    private static Message message(JsonNode message) {
        Map<String, String> attributes = new TreeMap<>();
        message.path("attributes")
                .properties()
                .forEach(attribute ->
                        attributes.put(attribute.getKey(), attribute.getValue().asString()));
        byte[] body = Base64.getDecoder().decode(message.path("data").asString(""));
        return new Message(new String(body, StandardCharsets.UTF_8), attributes);
    }

    private JsonNode call(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://" + address + "/v1/projects/" + PROJECT + "/" + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(ANSWER)
                .build();
        for (int attempt = 1; ; attempt++) {
            try {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() != 200) {
                    throw new IllegalStateException("The emulator answered " + method + " " + path + " with "
                            + response.statusCode() + ": " + response.body());
                }
                return JSON.readTree(response.body());
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
