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
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.support.TransactionTemplate;

/** Relays and consumers over the connections of Spring Boot. */
class BrokersTest {
    /** Without an exporter: what counts is the context that a handler finds. */
    @Configuration(proxyBeanMethods = false)
    @Import(Stock.class)
    static class Traced {
        @Bean(destroyMethod = "close")
        OpenTelemetrySdk openTelemetry() {
            return OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder().build())
                    .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                    .build();
        }
    }

    /** The handler continues the trace of the append. */
    private static void publishAndHandle(ConfigurableApplicationContext application) {
        Stock.Handlers handlers = application.getBean(Stock.Handlers.class);
        List<String> traces = new CopyOnWriteArrayList<>();
        handlers.first = sold -> traces.add(Span.current().getSpanContext().getTraceId());
        Span appending = application
                .getBean(OpenTelemetrySdk.class)
                .getTracer("test")
                .spanBuilder("append")
                .startSpan();
        try (Scope current = appending.makeCurrent()) {
            application
                    .getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> Stock.sell(application.getBean(SpringOutbox.class), "apple", 2));
            assertThat(current).isNotNull();
        }
        appending.end();
        Await.until("it is taken", () -> handlers.taken("apple") == 2);
        assertThat(traces).containsExactly(appending.getSpanContext().getTraceId());
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
                        Traced.class,
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
                    Traced.class,
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
                    Traced.class,
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
