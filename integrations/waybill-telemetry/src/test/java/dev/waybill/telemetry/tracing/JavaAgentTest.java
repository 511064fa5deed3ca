package dev.waybill.telemetry.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.telemetry.tracing.Collector.Kind;
import dev.waybill.telemetry.tracing.Collector.Received;
import dev.waybill.testkit.ChildJvm;
import dev.waybill.testkit.SharedPostgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process with OpenTelemetry's Java agent, without any setting for Waybill. The agent instruments the clients of the brokers
 * and the JDBC driver by itself.
 */
class JavaAgentTest {
    private Collector collector;

    @BeforeEach
    void begin() throws IOException {
        collector = new Collector();
    }

    @AfterEach
    void end() {
        collector.close();
    }

    @Test
    void with_kafka_each_order_is_one_trace_without_doubled_spans() throws Exception {
        try (KafkaServer kafka = KafkaServer.start()) {
            run(kafka.bootstrapServers());
        }
        assertEachOrderIsOneTrace();
    }

    @Tag("full")
    @Test
    void with_rabbitmq_each_order_is_one_trace_without_doubled_spans() throws Exception {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        try (RabbitServer rabbit = RabbitServer.start()) {
            run(rabbit.uri());
        }
        assertEachOrderIsOneTrace();
    }

    private void assertEachOrderIsOneTrace() {
        List<Received> requests = named("POST /orders");
        assertThat(requests).hasSize(OrderProcess.ORDERS);
        Set<String> traces = requests.stream().map(Received::traceId).collect(Collectors.toSet());
        for (Received request : requests) {
            List<Received> trace = collector.spans().stream()
                    .filter(span -> span.traceId().equals(request.traceId()))
                    .toList();
            assertThat(trace)
                    .extracting(span -> span.kind() + " " + span.scope())
                    .containsExactlyInAnyOrder(
                            "SERVER web",
                            // The insert of the event, and the statement of the handler.
                            "CLIENT io.opentelemetry.jdbc",
                            "CLIENT io.opentelemetry.jdbc",
                            "CONSUMER dev.waybill");
            Received process = only(trace, Kind.CONSUMER);
            assertThat(process.parentId()).isEqualTo(request.spanId());
            assertThat(trace)
                    .filteredOn(span -> span.parentId().equals(process.spanId()))
                    .hasSize(1);
        }
        assertThat(collector.spans())
                .filteredOn(span -> span.kind() == Kind.PRODUCER)
                .allMatch(Received::isOurs)
                .flatExtracting(Received::links)
                .containsExactlyInAnyOrderElementsOf(traces);
        // Neither the relay's polls of the database nor the consumer's polls of the broker are traced.
        assertThat(collector.spans().stream().filter(span -> !span.isOurs()))
                .noneMatch(span ->
                        String.valueOf(span.attributes().get("thread.name")).startsWith("waybill-relay"))
                .noneMatch(span -> span.attributes().containsKey("messaging.system"));
    }

    private List<Received> named(String name) {
        return collector.spans().stream()
                .filter(span -> span.name().equals(name))
                .toList();
    }

    private static Received only(List<Received> spans, Kind kind) {
        List<Received> found =
                spans.stream().filter(span -> span.kind() == kind).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private void run(String broker) throws IOException, InterruptedException {
        String url = SharedPostgres.server().jdbcUrl(SharedPostgres.server().createDatabase("traced"));
        List<String> classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .toList();
        String agent = classPath.stream()
                .filter(entry -> entry.contains("opentelemetry-javaagent"))
                .findFirst()
                .orElseThrow();
        List<String> command = ChildJvm.heap(256)
                .option("-javaagent:" + agent)
                .classPath(classPath.stream()
                        .filter(entry -> !entry.equals(agent))
                        .collect(Collectors.joining(File.pathSeparator)))
                .command(OrderProcess.class, List.of(url, broker));
        Path log = Path.of("target", "agent.log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf");
        builder.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint());
        builder.environment().put("OTEL_METRICS_EXPORTER", "none");
        builder.environment().put("OTEL_LOGS_EXPORTER", "none");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
