package dev.waybill.spring.boot.actuator;

import static dev.waybill.spring.boot.actuator.SecuredStock.ANYONE;
import static dev.waybill.spring.boot.actuator.SecuredStock.OPERATOR;
import static dev.waybill.spring.boot.actuator.SecuredStock.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.actuator.ActuatorClient.Answer;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.spring.boot.run.Servers;
import dev.waybill.testkit.Await;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** The endpoint over HTTP, behind rules of Spring Security. */
class EndpointTest {
    private static final String TOPIC = Servers.unique("items");

    private static ConfigurableApplicationContext application;
    private static ActuatorClient actuator;

    @BeforeAll
    static void start() {
        application = ActuatorClient.start(
                SecuredStock.class,
                "management.endpoint.waybill.access=unrestricted",
                "management.endpoint.health.group.readiness.include=readinessState,waybill",
                "waybill.consumers.stock.destination=kafka",
                "waybill.consumers.stock.topics=" + TOPIC);
        actuator = ActuatorClient.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static Answer get(String who, String path) throws Exception {
        return actuator.get(who, path);
    }

    private static Answer post(String who, String path, String body) throws Exception {
        return actuator.post(who, path, body);
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
        assertThat(actuator.audited("pause")).isEqualTo(OPERATOR + " (actuator)");
    }

    @Test
    void dead_events_are_shown_previewed_requeued_and_discarded() throws Exception {
        String id = actuator.deadEvent("sold");
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
        assertThat(actuator.audited("discard")).startsWith(OPERATOR);
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
    void requests_that_make_no_sense_are_mistakes_of_the_client() throws Exception {
        for (String body : List.of(
                "[]",
                "{",
                "{\"ids\": [null]}",
                "{\"ids\": [\"not an id\"]}",
                "{\"ids\": [[\"a\"]]}",
                "{\"ids\": {\"a\": 1}}",
                "{\"ids\": \"a\\u0000b\"}",
                "{\"state\": \"dead\", \"type\": \"a\\u0000b\"}",
                "{\"state\": \"dead\", \"error\": \"a\\u0000b\"}",
                "{\"state\": [\"dead\"], \"type\": \"none\"}",
                "{\"state\": \"dead\", \"type\": \"none\", \"preview\": \"perhaps\"}",
                "{\"state\": \"dead\", \"type\": \"none\", \"why\": \"a\\u0000b\"}",
                "{\"replay\": \"a\\u0000b\", \"type\": \"none\"}",
                "{\"ids\": " + "[".repeat(600) + "]".repeat(600) + "}")) {
            for (String action : List.of("requeue", "discard", "replay")) {
                assertThat(post(OPERATOR, "waybill/main/" + action, body).status())
                        .as(action + " " + body)
                        .isLessThan(500);
            }
        }
        assertThat(post(OPERATOR, "waybill/main/requeue", "{\"state\": \"dead\", \"error\": \"a\\u0000b\"}")
                        .body()
                        .toString())
                .contains("U+0000");
        for (String path :
                List.of("events/nonsense", "relays/main?after=nonsense", "relays/main?after=a%00b", "relays/A%20B")) {
            assertThat(get(OPERATOR, "waybill/" + path).status()).as(path).isLessThan(500);
        }
    }

    @Test
    void payloads_are_hidden() throws Exception {
        Answer event = get(VIEWER, "waybill/events/" + actuator.deadEvent("hidden"));
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
