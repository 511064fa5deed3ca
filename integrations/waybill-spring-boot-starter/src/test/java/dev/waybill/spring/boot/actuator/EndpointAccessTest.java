package dev.waybill.spring.boot.actuator;

import static dev.waybill.spring.boot.actuator.SecuredStock.ANYONE;
import static dev.waybill.spring.boot.actuator.SecuredStock.OPERATOR;
import static dev.waybill.spring.boot.actuator.SecuredStock.VIEWER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.AuditEntry;
import dev.waybill.spring.boot.actuator.ActuatorClient.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The endpoint with the access that it has by default, in an application that allows to see payloads. */
class EndpointAccessTest {
    private static ConfigurableApplicationContext application;
    private static ActuatorClient actuator;

    @BeforeAll
    static void start() {
        application = ActuatorClient.start(
                SecuredStock.class,
                "management.endpoint.waybill.show-payloads=true",
                "waybill.consumers.stock.destination=kafka",
                "waybill.consumers.stock.auto-startup=false");
        actuator = ActuatorClient.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void a_change_is_refused_while_access_is_read_only_and_nothing_changes() throws Exception {
        String id = actuator.deadEvent("refused");
        List<AuditEntry> before = actuator.audit();
        String body = "{\"ids\": \"" + id + "\", \"why\": \"a test\", \"replay\": \"again\"}";
        for (String action : List.of("pause", "requeue", "discard", "replay", "cancel", "resume")) {
            String path = "waybill/main/" + action;
            assertThat(actuator.post(OPERATOR, path, body).status())
                    .describedAs(action)
                    .isEqualTo(405);
            assertThat(actuator.post(VIEWER, path, body).status()).isIn(403, 405);
            assertThat(actuator.post(ANYONE, path, body).status()).isIn(401, 405);
            assertUnchanged(id);
        }
        assertThat(actuator.audit()).isEqualTo(before);
    }

    private static void assertUnchanged(String deadEvent) throws Exception {
        Answer relay = actuator.get(VIEWER, "waybill/relays/main");
        assertThat(relay.body().path("paused").asBoolean(true)).isFalse();
        assertThat(relay.body().path("replays").size()).isZero();
        assertThat(relay.body().path("events").valueStream())
                .anyMatch(event -> event.path("id").asString().equals(deadEvent)
                        && event.path("state").asString().equals("dead")
                        && event.path("attempts").asInt() <= 1);
    }

    @Test
    void a_payload_is_shown_where_it_is_allowed_and_that_is_audited() throws Exception {
        String id = actuator.deadEvent("shown");
        assertThat(actuator.audit()).noneMatch(entry -> entry.details().contains(id));
        assertThat(actuator.get(ANYONE, "waybill/events/" + id).status()).isEqualTo(401);
        assertThat(actuator.audit()).noneMatch(entry -> entry.details().contains(id));

        Answer event = actuator.get(VIEWER, "waybill/events/" + id);

        assertThat(event.body().path("payload").asString()).isEqualTo("{\"secret\": 1}");
        assertThat(actuator.audit())
                .filteredOn(entry -> entry.details().contains(id))
                .singleElement()
                .satisfies(entry -> assertThat(entry.by().who()).isEqualTo(VIEWER + " (actuator)"));
    }
}
