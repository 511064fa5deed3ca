package dev.waybill.spring.boot.actuator;

import static dev.waybill.spring.boot.actuator.SecuredStock.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.spring.boot.actuator.ActuatorClient.Answer;
import dev.waybill.testkit.Await;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The endpoint while the database of the application is down. */
class UnknownStoreTest {
    private static final String ID = "019a0000-0000-7000-8000-000000000000";

    @Test
    void what_a_store_has_is_unknown_while_it_cannot_be_read() throws Exception {
        try (PostgresServer server = PostgresServer.start();
                ConfigurableApplicationContext application = ActuatorClient.start(
                        SecuredStock.class,
                        "spring.datasource.url=" + server.jdbcUrl(server.createDatabase("away")),
                        "spring.datasource.hikari.connection-timeout=1000",
                        "management.endpoint.waybill.access=unrestricted",
                        "waybill.consumers.stock.destination=kafka",
                        "waybill.consumers.stock.auto-startup=false")) {
            ActuatorClient actuator = ActuatorClient.of(application);
            Await.until(
                    "the relay has run",
                    () -> actuator.get(OPERATOR, "waybill")
                            .body()
                            .at("/relays/main")
                            .has("backlog"));
            server.stop();
            Await.until(
                    "the relay notices it",
                    () -> actuator.get(OPERATOR, "waybill")
                            .body()
                            .at("/relays/main")
                            .has("failingSeconds"));
            Answer all = actuator.get(OPERATOR, "waybill");
            assertThat(all.status()).isEqualTo(200);
            assertThat(all.body().at("/relays/main/error").asString())
                    .startsWith("The store main cannot be read, so what it has is unknown: ");
            assertThat(all.body().at("/relays/main").has("backlog")).isFalse();

            Answer relay = actuator.get(OPERATOR, "waybill/relays/main");
            assertThat(relay.status()).isEqualTo(200);
            assertThat(relay.body().path("error").asString()).contains("store main cannot be read");
            assertThat(relay.body().has("events")).isFalse();

            Answer event = actuator.get(OPERATOR, "waybill/events/" + ID);
            assertThat(event.status()).as("not 404: nobody knows").isEqualTo(503);
            assertThat(event.body().path("error").asString()).contains("store main cannot be read");

            Answer change = actuator.post(OPERATOR, "waybill/main/pause", "{}");
            assertThat(change.status()).isEqualTo(503);
            assertThat(change.body().path("error").asString()).isNotBlank();
        }
    }
}
