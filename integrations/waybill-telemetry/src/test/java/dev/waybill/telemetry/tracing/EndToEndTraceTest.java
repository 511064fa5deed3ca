package dev.waybill.telemetry.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.telemetry.tracing.Collector.Received;
import dev.waybill.telemetry.tracing.OrderSystem.Handled;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Request, PostgreSQL, relay, Kafka, handler and collector, with OpenTelemetry's SDK and without an agent. */
@Timeout(120)
class EndToEndTraceTest {

    @Test
    void one_trace_leads_from_the_request_over_the_row_and_the_message_to_the_handler_and_the_collector()
            throws Exception {
        DataSource database =
                SharedPostgres.server().dataSource(SharedPostgres.server().createDatabase("trace"));
        try (KafkaServer kafka = KafkaServer.start();
                Collector collector = new Collector();
                SdkTracerProvider provider = exportingTo(collector)) {
            OpenTelemetry openTelemetry =
                    OpenTelemetrySdk.builder().setTracerProvider(provider).build();
            List<Handled> handled;
            try (OrderSystem system =
                    new OrderSystem(openTelemetry, database, OrderBroker.at(kafka.bootstrapServers()))) {
                system.order("o-1");
                Await.until("the order is handled", () -> !system.handled().isEmpty());
                handled = system.handled();
            }
            provider.forceFlush();
            Await.until("the collector has the spans", () -> collector.spans().size() == 3);

            Received request = span(collector, "POST /orders");
            Received publish = span(collector, "publish orders");
            Received process = span(collector, "process orders");
            String trace = request.traceId();
            assertThat(handled)
                    .containsExactly(
                            new Handled("{\"id\":\"o-1\"}", trace + "-" + request.spanId(), trace, trace, trace));
            assertThat(process.traceId()).isEqualTo(trace);
            assertThat(process.parentId()).isEqualTo(request.spanId());
            assertThat(publish.links()).containsExactly(trace);
        }
    }

    private static Received span(Collector collector, String name) {
        return collector.spans().stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static SdkTracerProvider exportingTo(Collector collector) {
        return SdkTracerProvider.builder()
                .addSpanProcessor(BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder()
                                .setEndpoint(collector.endpoint() + "/v1/traces")
                                .build())
                        .build())
                .build();
    }
}
