package dev.waybill.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.ChildJvm;
import dev.waybill.testkit.SharedPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The example, from the request to the handler's effect. */
class OrdersTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final KafkaServer KAFKA = KafkaServer.start();
    private static final Set<UUID> ACCEPTED = ConcurrentHashMap.newKeySet();

    private static Collector collector;
    private static String database;
    private static ConfigurableApplicationContext application;

    /** First in a process of its own, which is asked to end while it works; then here, on the same database. */
    @BeforeAll
    static void start() throws Exception {
        collector = new Collector();
        PostgresServer postgres = SharedPostgres.server();
        database = postgres.jdbcUrl(postgres.createDatabase("orders"));
        runUntilTerminatedUnderLoad();
        application = SpringApplication.run(OrdersApplication.class, arguments(0));
    }

    @AfterAll
    static void stop() {
        application.close();
        collector.close();
        KAFKA.close();
    }

    private static String[] arguments(int port) {
        return new String[] {
            "--server.address=127.0.0.1",
            "--server.port=" + port,
            "--spring.datasource.url=" + database,
            "--spring.kafka.bootstrap-servers=" + KAFKA.bootstrapServers(),
            "--management.opentelemetry.tracing.export.otlp.endpoint=" + collector.endpoint(),
            "--spring.main.banner-mode=off"
        };
    }

    private static void runUntilTerminatedUnderLoad() throws Exception {
        int port = FreePort.choose();
        Path log = Files.createTempFile("waybill-example", ".log");
        List<String> command = ChildJvm.heap(256).command(OrdersApplication.class, List.of(arguments(port)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Await.until(
                    () -> "the application answers; its log is in " + log, () -> accepts(port) || !process.isAlive());
            assertThat(process.isAlive())
                    .as("the application runs; its log is in " + log)
                    .isTrue();
            List<Thread> clients = Stream.generate(() -> new Thread(() -> placeUntilRefused(port)))
                    .limit(4)
                    .toList();
            clients.forEach(Thread::start);
            Await.until("orders were accepted", () -> ACCEPTED.size() > 200);
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            for (Thread client : clients) {
                client.join();
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(log)).doesNotContain("ERROR");
        Files.delete(log);
    }

    private static boolean accepts(int port) {
        try {
            return place(port, "first", "").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static void placeUntilRefused(int port) {
        try {
            int status;
            do {
                status = place(port, "apple", "").statusCode();
            } while (status == 200);
        } catch (IOException e) {
            // The application has ended.
            return;
        }
    }

    private static HttpResponse<String> place(int port, String item, String traceparent) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"item\": \"" + item + "\"}"));
        if (!traceparent.isEmpty()) {
            request.header("traceparent", traceparent);
        }
        try {
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                ACCEPTED.add(UUID.fromString(response.body().replace("\"", "")));
            }
            return response;
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static JdbcClient jdbc() {
        return application.getBean(JdbcClient.class);
    }

    private static int port() {
        return Integer.parseInt(application.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private static long count(String sql) {
        return jdbc().sql(sql).query(Long.class).single();
    }

    @Test
    void every_order_that_was_accepted_before_the_process_was_terminated_has_its_effect_once() {
        assertThat(ACCEPTED).hasSizeGreaterThan(200);
        Await.until(
                () -> count("select count(*) from purchase_order") + " orders, "
                        + count("select count(*) from movement") + " movements",
                () -> count("select count(*) from purchase_order where id not in (select order_id from movement)")
                        == 0);
        assertThat(count("select count(*) - count(distinct order_id) from movement"))
                .isZero();
        Set<UUID> stored = Set.copyOf(
                jdbc().sql("select order_id from movement").query(UUID.class).list());
        assertThat(stored).containsAll(ACCEPTED);
    }

    @Test
    void one_trace_goes_from_the_request_over_the_row_and_the_message_to_the_handler() throws Exception {
        String traceId = UUID.randomUUID().toString().replace("-", "");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        ((Logger) LoggerFactory.getLogger(Stock.class)).addAppender(lines);
        HttpResponse<String> response = place(port(), "pear", "00-" + traceId + "-00f067aa0ba902b7-01");
        String order = response.body().replace("\"", "");
        Await.until("the effect", () -> count("select count(*) from movement where item = 'pear'") == 1);

        assertThat(jdbc().sql("select headers ->> 'traceparent' from waybill.event where aggregate_id = ?")
                        .param(order)
                        .query(String.class)
                        .single())
                .contains(traceId);
        assertThat(traceparent(order)).contains(traceId);
        assertThat(lines.list).anySatisfy(line -> {
            assertThat(line.getFormattedMessage()).contains(order);
            assertThat(line.getMDCPropertyMap()).containsEntry("traceId", traceId);
        });
        Await.until("the span of the request", () -> collector.has(traceId, "/orders"));
        Await.until("the span of the handler", () -> collector.has(traceId, "process order.placed.v1"));
    }

    private static String traceparent(String order) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        KAFKA.bootstrapServers(),
                        "group.id",
                        "test",
                        "auto.offset.reset",
                        "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("order.placed.v1"));
            List<String> found = new ArrayList<>();
            Await.until("the message", () -> {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(100))) {
                    if (new String(message.value(), StandardCharsets.UTF_8).contains(order)) {
                        found.add(new String(
                                message.headers().lastHeader("traceparent").value(), StandardCharsets.UTF_8));
                    }
                }
                return !found.isEmpty();
            });
            return found.get(0);
        }
    }

    @Test
    void the_example_has_at_most_sixty_lines_of_java() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/java/dev/waybill/example/orders"))) {
            long lines = 0;
            for (Path file : files.toList()) {
                lines += Files.readAllLines(file).stream()
                        .filter(line -> !line.isBlank() && !line.matches("(import|package) .*"))
                        .count();
            }
            assertThat(lines).isLessThanOrEqualTo(60);
        }
    }
}
