package dev.waybill.spring.boot.actuator;

import static dev.waybill.spring.boot.actuator.SecuredStock.PASSWORD;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.AuditEntry;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.run.Servers;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the actuator of an application over HTTP. */
final class ActuatorClient {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext application;
    private final String address;

    private ActuatorClient(ConfigurableApplicationContext application, String address) {
        this.application = application;
        this.address = address;
    }

    /** The body is JSON, or empty. */
    record Answer(int status, JsonNode body) {}

    /** An application with a web server, whose events are published to topics that are named after their aggregates too. */
    static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "spring.main.web-application-type=servlet",
                "server.address=127.0.0.1",
                "server.port=0",
                "management.endpoints.web.exposure.include=health,waybill",
                "management.endpoint.health.show-details=always",
                "management.endpoint.health.probes.enabled=true",
                "waybill.relays.main.route.template={type}.{aggregateId}"));
        all.addAll(List.of(properties));
        return Servers.start(application, all.toArray(String[]::new));
    }

    static ActuatorClient of(ConfigurableApplicationContext application) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        return new ActuatorClient(application, "http://127.0.0.1:" + port + "/actuator/");
    }

    Answer get(String who, String path) throws IOException, InterruptedException {
        return send(who, path, HttpRequest.newBuilder().GET());
    }

    Answer post(String who, String path, String body) throws IOException, InterruptedException {
        return send(
                who,
                path,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
    }

    private Answer send(String who, String path, HttpRequest.Builder request) throws IOException, InterruptedException {
        if (!who.isEmpty()) {
            byte[] login = (who + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
        }
        HttpResponse<String> response =
                HTTP.send(request.uri(URI.create(address + path)).build(), BodyHandlers.ofString());
        String body = response.body();
        return new Answer(response.statusCode(), JsonMapper.shared().readTree(body.isBlank() ? "{}" : body));
    }

    /** Appends an event that Kafka refuses, because its topic would have a name with blanks; waits until it is dead. */
    String deadEvent(String type) throws Exception {
        Event event = Event.of(type).aggregate("Item", "not a topic").payload(Payload.json("{\"secret\": 1}"));
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(
                        status -> application.getBean(SpringOutbox.class).append(event));
        Await.until(
                "a dead event",
                () -> get(SecuredStock.VIEWER, "waybill/relays/main")
                        .body()
                        .path("events")
                        .valueStream()
                        .anyMatch(each -> each.path("id").asString().equals(event.id())
                                && each.path("state").asString().equals("dead")));
        return event.id();
    }

    /** Who did this last. */
    String audited(String action) {
        return audit().stream()
                .filter(entry -> entry.action().contains(action))
                .findFirst()
                .orElseThrow()
                .by()
                .who();
    }

    List<AuditEntry> audit() {
        return application.getBean(WaybillStores.class).get("main").admin().audit(20);
    }
}
