package dev.waybill.connect;

import dev.waybill.embedded.EndWithParent;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.connect.cli.ConnectDistributed;

/** A distributed worker of Connect, in a process of its own, and its REST API. */
final class ConnectWorker implements AutoCloseable {
    private static final Path LOGS = Path.of("target", "connect");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final String name;
    private final Path settings;
    private final URI address;
    private Process process;

    private ConnectWorker(String name, Path settings, URI address) {
        this.name = name;
        this.settings = settings;
        this.address = address;
    }

    /** A broker for workers, which soon ends the transactions of those that were killed. */
    static KafkaServer startKafka() {
        return KafkaServer.start(Map.of(
                "transaction.state.log.num.partitions", "3",
                "offsets.topic.num.partitions", "3",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"));
    }

    /**
     * With exactly-once support.
     *
     * @param cluster its workers share connectors
     */
    static ConnectWorker start(String name, String cluster, String bootstrapServers) {
        return start(name, cluster, bootstrapServers, "enabled");
    }

    static ConnectWorker startWithoutTransactions(String name, String cluster, String bootstrapServers) {
        return start(name, cluster, bootstrapServers, "disabled");
    }

    private static ConnectWorker start(String name, String cluster, String bootstrapServers, String exactlyOnce) {
        try {
            int port = FreePort.choose();
            Map<String, String> settings = new LinkedHashMap<>();
            settings.put("bootstrap.servers", bootstrapServers);
            settings.put("group.id", cluster);
            settings.put("listeners", "http://127.0.0.1:" + port);
            settings.put("rest.advertised.host.name", "127.0.0.1");
            settings.put("exactly.once.source.support", exactlyOnce);
            settings.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
            settings.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
            for (String kind : List.of("config", "offset", "status")) {
                settings.put(kind + ".storage.topic", cluster + "-" + kind);
                settings.put(kind + ".storage.replication.factor", "1");
            }
            settings.put("offset.storage.partitions", "1");
            settings.put("status.storage.partitions", "1");
            settings.put("scheduled.rebalance.max.delay.ms", "0");
            settings.put("session.timeout.ms", "6000");
            settings.put("heartbeat.interval.ms", "500");
            settings.put("plugin.discovery", "service_load");
            Files.createDirectories(LOGS);
            Files.deleteIfExists(LOGS.resolve(name + ".log"));
            Path file = LOGS.resolve(name + ".properties");
            Files.writeString(
                    file,
                    settings.entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining("\n")));
            ConnectWorker worker = new ConnectWorker(name, file, URI.create("http://127.0.0.1:" + port));
            worker.start();
            return worker;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start() throws IOException {
        List<String> command = ChildJvm.heap(400)
                .option("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn")
                .option("-Dorg.slf4j.simpleLogger.log.dev.waybill=info")
                .option("-Dorg.slf4j.simpleLogger.showDateTime=true")
                .option("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS")
                .command(EndWithParent.class, List.of(ConnectDistributed.class.getName(), settings.toString()));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        LOGS.resolve(name + ".log").toFile()))
                .start();
    }

    /** SIGKILL; returns when the process has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** @return whether the worker answers */
    boolean isReady() {
        try {
            return get("/connectors").statusCode() == 200;
        } catch (IOException e) {
            if (!process.isAlive()) {
                throw new AssertionError(name + " ended with " + process.exitValue() + ": see its log in " + LOGS);
            }
            return false;
        }
    }

    /** Creates or changes a connector. */
    HttpResponse<String> put(String connector, Map<String, String> configuration) throws IOException {
        return send(request("/connectors/" + connector + "/config").PUT(BodyPublishers.ofString(json(configuration))));
    }

    private static String json(Map<String, String> configuration) {
        return configuration.entrySet().stream()
                .map(entry -> "\"" + entry.getKey() + "\":\"" + entry.getValue().replace("\"", "\\\"") + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    HttpResponse<String> get(String path) throws IOException {
        return send(request(path).GET());
    }

    HttpResponse<String> put(String path) throws IOException {
        return send(request(path).PUT(BodyPublishers.noBody()));
    }

    /** Mistakes that the connector finds in a configuration, among everything else that Connect tells of it. */
    HttpResponse<String> validate(Map<String, String> configuration) throws IOException {
        return send(request("/connector-plugins/WaybillSourceConnector/config/validate")
                .PUT(BodyPublishers.ofString(json(configuration))));
    }

    HttpResponse<String> delete(String path) throws IOException {
        return send(request(path).DELETE());
    }

    HttpResponse<String> patch(String path, String json) throws IOException {
        return send(request(path).method("PATCH", BodyPublishers.ofString(json)));
    }

    /** Repeats a call until it is answered so: a worker refuses calls while it rebalances. */
    void until(int status, Call call) {
        StringBuilder last = new StringBuilder();
        Await.until(() -> "an answer " + status + " instead of " + last, () -> {
            try {
                HttpResponse<String> answer = call.send();
                last.setLength(0);
                last.append(answer.statusCode()).append(' ').append(answer.body());
                return answer.statusCode() == status;
            } catch (IOException e) {
                last.setLength(0);
                last.append(e);
                return false;
            }
        });
    }

    /** Whether a task of the connector runs on this worker, as that worker says. */
    boolean runsTaskOf(String connector, ConnectWorker asked) {
        return tasksOf(connector, asked) > 0;
    }

    /** How many tasks of a connector run on this worker, as that worker says. */
    long tasksOf(String connector, ConnectWorker asked) {
        try {
            String status = asked.get("/connectors/" + connector + "/status").body();
            int tasks = Math.max(0, status.indexOf("\"tasks\""));
            return Pattern.compile("\\{[^{}]*}")
                    .matcher(status.substring(tasks))
                    .results()
                    .map(MatchResult::group)
                    .filter(task -> task.contains("\"RUNNING\"")
                            && task.contains("\"worker_id\":\"" + address.getAuthority() + "\""))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    /** What the process has printed. */
    String log() throws IOException {
        return Files.readString(LOGS.resolve(name + ".log"));
    }

    interface Call {
        HttpResponse<String> send() throws IOException;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
