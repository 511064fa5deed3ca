package dev.waybill.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Utf8;
import dev.waybill.telemetry.tracing.Tracing;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The relays of the process are traced, each with the name of its kind of broker. */
class TracedRelaysTest {
    private static final String FILE = """
            stores:
              away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
              rabbit: { type: rabbitmq, uri: "amqp://127.0.0.1:1/" }
              pubsub: { type: pubsub, project: demo, emulator: "127.0.0.1:1" }
            relays:
              to-kafka: { store: away, destination: kafka }
              to-rabbit: { store: away, destination: rabbit }
              to-pubsub: { store: away, destination: pubsub }
            """;

    @TempDir
    private Path directory;

    @Test
    void every_relay_has_spans_that_name_its_kind_of_broker() throws Exception {
        InMemorySpanExporter spans = InMemorySpanExporter.create();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(spans))
                .build();
        Tracing tracing = Tracing.of(
                OpenTelemetrySdk.builder().setTracerProvider(provider).build());
        List<RelayPlan> plans = new ArrayList<>();
        try (Installation installation = Installation.read(Files.writeString(directory.resolve("waybill.yaml"), FILE));
                RunningRelays relays = new RunningRelays(installation, tracing, plan -> {
                    plans.add(plan);
                    return plan.start();
                })) {
            relays.start();
            plans.forEach(plan -> plan.listeners().forEach(TracedRelaysTest::publish));
        }
        assertThat(spans.getFinishedSpanItems())
                .extracting(span -> span.getAttributes().get(AttributeKey.stringKey("messaging.system")))
                .containsExactly("kafka", "rabbitmq", "gcp_pubsub");
    }

    private static void publish(RelayListener listener) {
        EventFacts event =
                new EventFacts(Utf8.of("e-1"), Utf8.of("placed"), Utf8.of("k"), "application/json", Instant.EPOCH);
        OutboundMessage message = new OutboundMessage(event, "orders", null, new byte[0], List.of());
        Sending sending = listener.sending(new RelayName("any"), List.of(), List.of(message), Duration.ZERO);
        sending.handedOver();
        sending.ended(List.of(Delivery.DELIVERED));
    }
}
