package dev.waybill.spring.boot.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.spring.boot.run.Servers;
import dev.waybill.spring.boot.run.Stock;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.testkit.Await;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint over HTTP, behind rules of Spring Security. */
class EndpointTest {
    private static final String ANYONE = "";
    private static final String VIEWER = "victoria";
    private static final String OPERATOR = "oscar";
    private static final String TOPIC = Servers.unique("items");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ConfigurableApplicationContext application;
    private static int port;

    @Configuration(proxyBeanMethods = false)
    @Import(Stock.class)
    static class SecuredStock {
        @Bean
        SecurityFilterChain rules(HttpSecurity http) {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers(EndpointRequest.to("health"))
                            .permitAll()
                            .requestMatchers(EndpointRequest.to("waybill").withHttpMethod(HttpMethod.POST))
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .hasAnyRole("VIEWER", "OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.ignoringRequestMatchers(EndpointRequest.to("waybill")))
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername(VIEWER)
                            .password("{noop}secret")
                            .roles("VIEWER")
                            .build(),
                    User.withUsername(OPERATOR)
                            .password("{noop}secret")
                            .roles("OPERATOR")
                            .build());
        }
    }

    @BeforeAll
    static void start() {
        application = Servers.start(
                SecuredStock.class,
                "spring.main.web-application-type=servlet",
                "server.address=127.0.0.1",
                "server.port=0",
                "management.endpoints.web.exposure.include=health,waybill",
                "management.endpoint.waybill.access=unrestricted",
                "management.endpoint.health.show-details=always",
                "management.endpoint.health.probes.enabled=true",
                "management.endpoint.health.group.readiness.include=readinessState,waybill",
                "waybill.relays.main.route.template={type}.{aggregateId}",
                "waybill.consumers.stock.destination=kafka",
                "waybill.consumers.stock.topics=" + TOPIC);
        port = Integer.parseInt(application.getEnvironment().getRequiredProperty("local.server.port"));
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private record Answer(int status, JsonNode body) {}

    private static Answer get(String who, String path) throws Exception {
        return send(who, path, HttpRequest.newBuilder().GET());
    }

    private static Answer post(String who, String path, String body) throws Exception {
        return send(
                who,
                path,
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body)));
    }

    private static Answer send(String who, String path, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        if (!who.isEmpty()) {
            byte[] login = (who + ":secret").getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(login));
        }
        request.uri(URI.create("http://127.0.0.1:" + port + "/actuator/" + path));
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        String body = response.body();
        return new Answer(response.statusCode(), JsonMapper.shared().readTree(body.isBlank() ? "{}" : body));
    }

    /** Kafka refuses the topic of an aggregate id with blanks. */
    private static String deadEvent(String type) throws Exception {
        Event event = Event.of(type).aggregate("Item", "not a topic").payload(Payload.json("{\"secret\": 1}"));
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(
                        status -> application.getBean(SpringOutbox.class).append(event));
        Await.until(
                "a dead event",
                () -> get(VIEWER, "waybill/relays/main")
                        .body()
                        .path("events")
                        .valueStream()
                        .anyMatch(each -> each.path("id").asString().equals(event.id())
                                && each.path("state").asString().equals("dead")));
        return event.id();
    }

    @Test
    void anonymous_users_see_nothing_viewers_read_and_operators_change() throws Exception {
        assertThat(get(ANYONE, "waybill").status()).isEqualTo(401);
        assertThat(post(ANYONE, "waybill/main/pause", "{}").status()).isEqualTo(401);
        assertThat(post(VIEWER, "waybill/main/pause", "{}").status()).isEqualTo(403);
        Answer status = get(VIEWER, "waybill");
        assertThat(status.status()).isEqualTo(200);
        assertThat(status.body().at("/relays/main/destination").asString()).isEqualTo("kafka");
        assertThat(status.body().at("/relays/main/paused").asBoolean(true)).isFalse();
        assertThat(status.body().at("/consumers/stock/state").asString()).isEqualTo("working");
        assertThat(get(VIEWER, "waybill/relays/unknown").status()).isEqualTo(404);

        assertThat(post(OPERATOR, "waybill/main/pause", "{}")
                        .body()
                        .path("paused")
                        .asBoolean())
                .isTrue();
        assertThat(get(VIEWER, "waybill").body().at("/relays/main/paused").asBoolean())
                .isTrue();
        assertThat(post(OPERATOR, "waybill/main/resume", "{}").status()).isEqualTo(200);
        assertThat(audited("pause")).isEqualTo(OPERATOR + " (actuator)");
    }

    private static String audited(String action) {
        return application.getBean(WaybillStores.class).get("main").admin().audit(20).stream()
                .filter(entry -> entry.action().contains(action))
                .findFirst()
                .orElseThrow()
                .by()
                .who();
    }

    @Test
    void dead_events_are_shown_previewed_requeued_and_discarded() throws Exception {
        String id = deadEvent("sold");
        Answer preview = post(OPERATOR, "waybill/main/requeue", "{\"ids\": \"" + id + "\", \"preview\": true}");
        assertThat(preview.body().toString()).contains("\"wouldRequeue\":1");
        assertThat(post(OPERATOR, "waybill/main/requeue", "{\"ids\": \"" + id + "\"}")
                        .body()
                        .path("requeued")
                        .asInt())
                .isEqualTo(1);
        Await.until(
                "it is dead again",
                () -> get(VIEWER, "waybill").body().at("/relays/main/dead").asInt() >= 1);
        String selected = "{\"state\": \"dead\", \"type\": \"sold\"";
        assertThat(post(OPERATOR, "waybill/main/discard", selected + "}").status())
                .isEqualTo(400);
        assertThat(post(OPERATOR, "waybill/main/discard", selected + ", \"preview\": true}")
                        .body()
                        .path("wouldDiscard")
                        .asInt())
                .isEqualTo(1);
        assertThat(post(OPERATOR, "waybill/main/discard", selected + ", \"why\": \"a test\"}")
                        .body()
                        .path("discarded")
                        .asInt())
                .isEqualTo(1);
        assertThat(audited("discard")).startsWith(OPERATOR);
    }

    @Test
    void requests_that_cannot_be_performed_are_answered_with_the_reason() throws Exception {
        assertThat(post(OPERATOR, "waybill/other/pause", "{}").body().toString())
                .contains("There is no relay other");
        assertThat(post(OPERATOR, "waybill/main/explode", "{}").status()).isEqualTo(400);
        assertThat(post(OPERATOR, "waybill/main/requeue", "{}").body().toString())
                .contains("give ids, or a state");
        assertThat(post(OPERATOR, "waybill/main/replay", "{\"from\": \"yesterday\"}")
                        .body()
                        .toString())
                .contains("is not a time");
    }

    @Test
    void payloads_are_hidden() throws Exception {
        Answer event = get(VIEWER, "waybill/events/" + deadEvent("hidden"));
        assertThat(event.body().path("type").asString()).isEqualTo("hidden");
        assertThat(event.body().at("/relays/main").asString()).isEqualTo("dead");
        assertThat(event.body().toString()).doesNotContain("secret", "payload\"");
    }

    @Test
    void events_are_replayed_to_the_destination_of_the_relay() throws Exception {
        Event event = Event.of("replayed").aggregate("Item", "7").payload(Payload.json("{}"));
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(
                        status -> application.getBean(SpringOutbox.class).append(event));
        Servers.message("replayed.7", "");
        assertThat(post(OPERATOR, "waybill/main/replay", "{\"type\": \"replayed\", \"preview\": true}")
                        .body()
                        .path("wouldSend")
                        .asInt())
                .isEqualTo(1);
        assertThat(post(OPERATOR, "waybill/main/replay", "{\"type\": \"replayed\", \"replay\": \"again\"}")
                        .status())
                .isEqualTo(200);
        Await.until(
                "the replay is through",
                () -> get(VIEWER, "waybill/relays/main")
                        .body()
                        .path("replays")
                        .valueStream()
                        .anyMatch(replay -> replay.path("state").asString().equals("through")
                                && replay.path("sent").asInt() == 1));
    }

    @Test
    void a_consumer_shows_the_number_of_its_dead_letters() throws Exception {
        Answer consumer = get(VIEWER, "waybill/consumers/stock");
        assertThat(consumer.body().path("deadLetters").asInt(-1)).isZero();
        assertThat(consumer.body().path("topics").toString()).contains(TOPIC);
    }

    @Test
    void relays_stores_and_consumers_have_meters_in_the_registry_of_the_application() {
        MeterRegistry registry = application.getBean(MeterRegistry.class);
        Await.until(
                () -> "meters of all: " + registry.getMeters(),
                () -> Stream.of("relay", "store", "consumer")
                        .allMatch(tag -> registry.getMeters().stream()
                                .anyMatch(meter -> meter.getId().getName().startsWith("waybill")
                                        && meter.getId().getTag(tag) != null)));
    }

    @Test
    void health_is_up_while_relays_and_consumers_run_and_is_no_part_of_liveness() throws Exception {
        assertThat(get(ANYONE, "health").body().at("/components/waybill/status").asString())
                .isEqualTo("UP");
        assertThat(get(ANYONE, "health/readiness")
                        .body()
                        .at("/components/waybill/status")
                        .asString())
                .isEqualTo("UP");
        assertThat(get(ANYONE, "health/liveness").body().toString()).doesNotContain("waybill");
        assertThat(application.getBean(RunningRelays.class).isRunning()).isTrue();
    }
}
