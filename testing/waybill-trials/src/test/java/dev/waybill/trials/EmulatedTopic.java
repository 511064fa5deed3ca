package dev.waybill.trials;

import dev.waybill.trials.Messages.Message;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A topic on Google's emulator with a subscription, through the emulator's REST interface. */
final class EmulatedTopic {
    static final String PROJECT = "trial";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Retries requests, because the emulator sometimes does not answer or closes the connection. */
    private static final Duration ANSWER = Duration.ofSeconds(20);

    private static final int ATTEMPTS = 5;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final String projects;
    private final String name;
    private final List<Message> arrived = new ArrayList<>();

    private EmulatedTopic(String address, String name) {
        this.address = address;
        this.projects = "http://" + address + "/v1/projects/" + PROJECT + "/";
        this.name = name;
    }

    static EmulatedTopic make(String address, String name) throws Exception {
        EmulatedTopic topic = new EmulatedTopic(address, name);
        topic.call("PUT", "topics/" + name, "{}");
        topic.subscribe(name);
        return topic;
    }

    /** Its subscription does not keep the order of a key. */
    static EmulatedTopic unordered(String address, String name) throws Exception {
        EmulatedTopic topic = new EmulatedTopic(address, name);
        topic.call("PUT", "topics/" + name, "{}");
        topic.subscribe(name, false);
        return topic;
    }

    String address() {
        return address;
    }

    String name() {
        return name;
    }

    /** Creates another subscription, which gets what is published from now on. */
    void subscribe(String subscription) throws Exception {
        subscribe(subscription, true);
    }

    private void subscribe(String subscription, boolean ordered) throws Exception {
        call(
                "PUT",
                "subscriptions/" + subscription,
                "{\"topic\":\"projects/%s/topics/%s\",\"enableMessageOrdering\":%s,\"ackDeadlineSeconds\":60}"
                        .formatted(PROJECT, name, ordered));
    }

    void send(String key, byte[] value) throws Exception {
        call(
                "POST",
                "topics/" + name + ":publish",
                "{\"messages\":[{\"orderingKey\":\"" + key + "\",\"data\":\""
                        + Base64.getEncoder().encodeToString(value) + "\"}]}");
    }

    /** Attributes are strings in the REST interface. */
    void sendRaw(List<HostileMessages.Raw> messages) throws Exception {
        ArrayNode all = JSON.createArrayNode();
        for (HostileMessages.Raw each : messages) {
            ObjectNode message = all.addObject();
            message.put("data", Base64.getEncoder().encodeToString(each.value() == null ? new byte[0] : each.value()));
            message.put("orderingKey", each.key() == null ? "" : each.key());
            ObjectNode attributes = message.putObject("attributes").put("any", "one");
            each.headers()
                    .forEach((name, value) ->
                            attributes.put(name, value == null ? "" : new String(value, StandardCharsets.UTF_8)));
        }
        call("POST", "topics/" + name + ":publish", "{\"messages\":" + all + "}");
    }

    /** The ids of all events that have arrived so far, in order. */
    List<String> eventIds() throws Exception {
        return messages().stream()
                .map(message -> message.headers().getOrDefault("event_id", ""))
                .toList();
    }

    /** All messages that have arrived so far, with their attributes, in order. */
    List<Message> messages() throws Exception {
        while (true) {
            JsonNode pulled = call(
                            "POST",
                            "subscriptions/" + name + ":pull",
                            "{\"maxMessages\":1000,\"returnImmediately\":true}")
                    .path("receivedMessages");
            if (pulled.isEmpty()) {
                return arrived;
            }
            List<String> acknowledged = new ArrayList<>();
            for (JsonNode received : pulled) {
                arrived.add(message(received.path("message")));
                acknowledged.add(received.path("ackId").asString());
            }
            call(
                    "POST",
                    "subscriptions/" + name + ":acknowledge",
                    "{\"ackIds\":" + JSON.writeValueAsString(acknowledged) + "}");
        }
    }

    private static Message message(JsonNode message) {
        Map<String, String> attributes = new TreeMap<>();
        message.path("attributes")
                .properties()
                .forEach(attribute ->
                        attributes.put(attribute.getKey(), attribute.getValue().asString()));
        return new Message(
                message.path("orderingKey").asString(""),
                Base64.getDecoder().decode(message.path("data").asString("")),
                attributes);
    }

    private JsonNode call(String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create(projects + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(ANSWER)
                .build());
        if (response.statusCode() != 200) {
            throw new AssertionError("The emulator answered " + method + " " + path + " with " + response.statusCode()
                    + ": " + response.body());
        }
        return JSON.readTree(response.body());
    }

    /** Retries; a message that is published twice this way has the same event id. */
    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return client.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
