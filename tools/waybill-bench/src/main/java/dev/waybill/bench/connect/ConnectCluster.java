package dev.waybill.bench.connect;

import dev.waybill.bench.systems.SystemSpec;
import dev.waybill.embedded.EndWithParent;
import dev.waybill.embedded.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** A distributed worker of Kafka Connect, alone in its cluster, in a process of its own. */
final class ConnectCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final long BETWEEN_CALLS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int CREATED = 201;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;

    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = JsonMapper.builder().build();
    private final Process process;
    private final Path log;
    private final URI address;

    private ConnectCluster(Process process, Path log, URI address) {
        this.process = process;
        this.log = log;
        this.address = address;
    }

    /** @param exactlyOnce whether the worker commits records and offsets of source connectors in transactions */
    static ConnectCluster start(ConnectPlugins plugins, Path folder, String bootstrapServers, boolean exactlyOnce)
            throws IOException, InterruptedException {
        String name = exactlyOnce ? "connect-exactly-once" : "connect";
        int port = FreePort.choose();
        Map<String, String> settings = new TreeMap<>(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "group.id",
                name,
                "listeners",
                "http://127.0.0.1:" + port,
                "rest.advertised.host.name",
                "127.0.0.1",
                "exactly.once.source.support",
                exactlyOnce ? "enabled" : "disabled",
                "key.converter",
                "org.apache.kafka.connect.storage.StringConverter",
                "value.converter",
                "org.apache.kafka.connect.storage.StringConverter",
                "plugin.path",
                plugins.folder().toString(),
                "plugin.discovery",
                "service_load"));
        for (String kind : List.of("config", "offset", "status")) {
            settings.put(kind + ".storage.topic", name + "-" + kind);
            settings.put(kind + ".storage.replication.factor", "1");
        }
        Path file = folder.resolve(name + ".properties");
        Files.writeString(
                file,
                settings.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining("\n")));
        Path log = folder.resolve(name + ".log");
        Process process = new ProcessBuilder(
                        SystemSpec.java(),
                        "-Xmx1g",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        EndWithParent.classPath() + File.pathSeparator + plugins.workerClassPath(),
                        EndWithParent.class.getName(),
                        "org.apache.kafka.connect.cli.ConnectDistributed",
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        ConnectCluster cluster = new ConnectCluster(process, log, URI.create("http://127.0.0.1:" + port));
        try {
            cluster.until(OK, cluster.request("/connectors").GET());
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    void create(String connector, Map<String, String> configuration) throws IOException, InterruptedException {
        until(
                CREATED,
                request("/connectors/" + connector + "/config")
                        .PUT(BodyPublishers.ofString(json.writeValueAsString(configuration))));
    }

    void delete(String connector) throws IOException, InterruptedException {
        until(NO_CONTENT, request("/connectors/" + connector).DELETE());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).timeout(CALL).header("Content-Type", "application/json");
    }

    /** Repeats the call while the worker starts, or refuses calls because it rebalances. */
    private void until(int status, HttpRequest.Builder request) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String last = "no answer";
        while (System.nanoTime() < end) {
            if (!process.isAlive()) {
                throw new IllegalStateException("The worker of Kafka Connect has ended; its log is " + log);
            }
            try {
                HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
                if (answer.statusCode() == status) {
                    return;
                }
                last = answer.statusCode() + " " + answer.body();
            } catch (java.net.ConnectException e) {
                last = "no connection";
            }
            LockSupport.parkNanos(BETWEEN_CALLS);
        }
        throw new IllegalStateException("The worker of Kafka Connect answered " + last + " instead of " + status
                + " for " + PATIENCE.toSeconds() + " s; its log is " + log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
