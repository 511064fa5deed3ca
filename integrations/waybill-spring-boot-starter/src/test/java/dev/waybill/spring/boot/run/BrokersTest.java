package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.embedded.ServerCertificates;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/** Relays and consumers over the connections of Spring Boot. */
class BrokersTest {
    private static void publishAndHandle(ConfigurableApplicationContext application) {
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> Stock.sell(application.getBean(SpringOutbox.class), "apple", 2));
        Stock.Handlers handlers = application.getBean(Stock.Handlers.class);
        Await.until("it is taken", () -> handlers.taken("apple") == 2);
    }

    @Test
    void kafka_is_reached_with_the_ssl_bundle_of_spring_boot(@TempDir Path directory) throws Exception {
        ServerCertificates certificates = ServerCertificates.in(directory);
        Path both = Files.writeString(
                directory.resolve("both.pem"),
                Files.readString(certificates.key("good")) + Files.readString(certificates.certificate("good")));
        Map<String, String> settings = Map.of(
                "listener.name.good.ssl.keystore.type",
                "PEM",
                "listener.name.good.ssl.keystore.location",
                both.toString());
        try (KafkaServer server = KafkaServer.start(settings, Map.of("GOOD", "SSL"));
                ConfigurableApplicationContext application = Servers.start(
                        Stock.class,
                        "spring.kafka.bootstrap-servers=" + server.bootstrapServers("GOOD"),
                        "spring.kafka.security.protocol=SSL",
                        "spring.kafka.ssl.bundle=broker",
                        "spring.ssl.bundle.pem.broker.truststore.certificate=file:" + certificates.certificate("ca"),
                        "spring.kafka.producer.acks=1",
                        "waybill.consumers.stock.destination=kafka")) {
            publishAndHandle(application);
        }
    }

    @Test
    void n8_rabbitmq_is_reached_with_host_and_port_of_spring_boot() {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed");
        try (RabbitServer server = RabbitServer.start()) {
            String[] login = URI.create(server.uri()).getUserInfo().split(":", 2);
            try (ConfigurableApplicationContext application = Servers.start(
                    Stock.class,
                    "spring.rabbitmq.host=127.0.0.1",
                    "spring.rabbitmq.port=" + server.port(),
                    "spring.rabbitmq.username=" + login[0],
                    "spring.rabbitmq.password=" + login[1],
                    "waybill.destinations.rabbitmq.type=rabbitmq",
                    "waybill.destinations.rabbitmq.topology.queues.[" + Stock.SOLD + "].arguments.x-queue-type=classic",
                    "waybill.relays.main.destination=",
                    "waybill.consumers.stock.format=raw")) {
                publishAndHandle(application);
            }
        }
    }

    @Test
    void pubsub_is_reached_with_the_configured_emulator() throws Exception {
        Optional<PubSubEmulator> installed = PubSubEmulator.startIfInstalled();
        assumeTrue(installed.isPresent(), "Google's Pub/Sub emulator is not installed");
        try (PubSubEmulator emulator = installed.get()) {
            String project = "http://" + emulator.address() + "/v1/projects/shop/";
            put(project + "topics/" + Stock.SOLD, "{}");
            put(
                    project + "subscriptions/stock",
                    "{\"topic\": \"projects/shop/topics/" + Stock.SOLD + "\", \"enableMessageOrdering\": true}");
            try (ConfigurableApplicationContext application = Servers.start(
                    Stock.class,
                    "waybill.destinations.google.type=pubsub",
                    "waybill.destinations.google.project=shop",
                    "waybill.destinations.google.emulator=" + emulator.address(),
                    "waybill.relays.main.destination=google",
                    "waybill.consumers.stock.destination=google")) {
                publishAndHandle(application);
                ReceivedEvent event =
                        application.getBean(Stock.Handlers.class).received.get(0);
                assertThat(event.type()).isEqualTo(Stock.SOLD);
            }
        }
    }

    private static void put(String url, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).describedAs(answer.body()).isEqualTo(200);
    }
}
