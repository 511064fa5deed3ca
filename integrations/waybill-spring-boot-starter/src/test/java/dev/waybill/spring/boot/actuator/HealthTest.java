package dev.waybill.spring.boot.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.actuator.ActuatorClient.Answer;
import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.run.RunningRelays;
import dev.waybill.spring.boot.run.Stock;
import dev.waybill.testkit.Await;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Health over HTTP when something fails, behind the rules that Spring Boot has for Spring Security by default. */
class HealthTest {
    private static final String USER = "una";
    private static final String ANYONE = "";

    private static ConfigurableApplicationContext application;
    private static ActuatorClient actuator;

    /** The relay {@code away} has a broker that does not exist. */
    @BeforeAll
    static void start() {
        application = ActuatorClient.start(
                Stock.class,
                "spring.security.user.name=" + USER,
                "spring.security.user.password=" + SecuredStock.PASSWORD,
                "management.endpoint.waybill.access=unrestricted",
                "management.endpoint.health.group.readiness.include=readinessState,waybill",
                "management.health.waybill.not-ready-after=1h",
                "management.health.rabbit.enabled=false",
                "waybill.relays.main.store=main",
                "waybill.destinations.away.type=kafka",
                "waybill.destinations.away.delivery-timeout=1s",
                "waybill.destinations.away.properties[bootstrap.servers]=127.0.0.1:1",
                "waybill.relays.away.store=main",
                "waybill.relays.away.destination=away",
                "waybill.consumers.stock.destination=kafka");
        actuator = ActuatorClient.of(application);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @AfterEach
    void run_again() throws Exception {
        application.getBean(RunningConsumers.class).stop();
        application.getBean(RunningRelays.class).stop();
        application.getBean(RunningRelays.class).start();
        application.getBean(RunningConsumers.class).start();
        assertThat(actuator.get(ANYONE, "health").status()).isEqualTo(200);
    }

    /** Ends a thread as an interrupt by foreign code does. */
    private static void end(String name) {
        Thread thread = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        Await.until("the end of " + name, () -> {
            thread.interrupt();
            return !thread.isAlive();
        });
    }

    @Test
    void health_is_down_when_the_loop_of_a_relay_has_died_and_liveness_is_not() throws Exception {
        end("waybill-relay-main");
        Answer health = actuator.get(ANYONE, "health");
        assertThat(health.status()).isEqualTo(503);
        assertThat(health.body().at("/components/waybill").toString())
                .isEqualTo("{\"details\":{\"relays\":{\"main\":\"does not run\"}},\"status\":\"DOWN\"}");
        assertThat(actuator.get(ANYONE, "health/readiness").status()).isEqualTo(503);
        Answer liveness = actuator.get(ANYONE, "health/liveness");
        assertThat(liveness.status()).isEqualTo(200);
        assertThat(liveness.body().toString()).doesNotContain("waybill");
    }

    @Test
    void health_is_up_while_a_broker_is_only_away_and_down_after_the_configured_time() throws Exception {
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> Stock.sell(application.getBean(SpringOutbox.class), "apple", 1));
        RunningRelays relays = application.getBean(RunningRelays.class);
        Await.until(
                () -> "the relay fails: " + relays.problems(Duration.ofMillis(1)),
                () -> relays.problems(Duration.ofMillis(1)).containsKey("away"));
        Answer health = actuator.get(ANYONE, "health");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.body().at("/components/waybill/status").asString()).isEqualTo("UP");
        assertThat(new WaybillHealthIndicator(relays, application.getBean(RunningConsumers.class), Duration.ofMillis(1))
                        .health()
                        .toString())
                .contains("DOWN", "away=has been failing for ");
    }

    @Test
    void a_change_without_a_token_is_refused_by_the_default_rules_of_spring_security() throws Exception {
        assertThat(actuator.get(ANYONE, "waybill").status()).isEqualTo(401);
        assertThat(actuator.get(USER, "waybill").status()).isEqualTo(200);
        assertThat(actuator.post(USER, "waybill/main/pause", "{}").status()).isIn(401, 403);
        assertThat(actuator.get(USER, "waybill")
                        .body()
                        .at("/relays/main/paused")
                        .asBoolean(true))
                .isFalse();
    }
}
