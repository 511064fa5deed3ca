package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.tck.Seeds;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets stand wherever a secret can, commands succeed and fail in processes of their own, and no byte tells one. */
class CanaryTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    private static Path directory;

    private static Canaries canaries;
    private static final AtomicInteger runs = new AtomicInteger();
    private static PlantedSecrets planted;
    private static Map<String, String> environment;
    private static String config;

    @BeforeAll
    static void plant() throws Exception {
        canaries = new Canaries(Seeds.one());
        planted = new PlantedSecrets(directory, canaries);
        environment = planted.environment();
        config = planted.write("waybill.yaml", planted.configuration(0)).toString();
    }

    @AfterAll
    static void stop() {
        if (planted != null) {
            planted.close();
        }
    }

    @Test
    void configuration_doctor_login_and_arguments_show_no_secret() throws Exception {
        List<List<String>> commands = new ArrayList<>(List.of(
                List.of("config", config),
                List.of("doctor", "-c", config),
                List.of("dead-letters", "list", "-c", config, "--destination", "kafka-login", "orders")));
        commands.addAll(onTheCommandLine().subList(0, 4));
        runAll(sampled(commands, 3));
    }

    @Test
    @Tag("full")
    void no_command_shows_a_secret() throws Exception {
        assertThat(runAll(everyCommand())).noneMatch(printed -> printed.contains("Usage: waybill"));
        List<List<String>> commands = new ArrayList<>(onTheCommandLine());
        for (String bad : planted.badConfigurations()) {
            String file = planted.write("bad-" + runs.incrementAndGet() + ".yaml", bad)
                    .toString();
            commands.add(List.of("config", file));
            commands.add(List.of("run", file));
        }
        runAll(commands);
    }

    @Test
    @Tag("full")
    void a_wrong_password_is_not_shown() throws Exception {
        Map<String, String> wrong = new LinkedHashMap<>(environment);
        wrong.put("ORDERS_DB_PASSWORD", canaries.awkward("a wrong password"));
        environment = wrong;
        runAll(List.of(
                List.of("status", "-c", config, "--store", "orders"),
                List.of("doctor", "-c", config, "--store", "orders", "--json"),
                List.of("init", "-c", config, "--store", "orders"),
                List.of("status", "--url", planted.url(), "--user", "app")));
    }

    @Test
    void a_running_process_shows_no_secret_in_log_or_health_checks() throws Exception {
        for (String format : formats()) {
            int port = PlantedSecrets.freePort();
            String file = planted.write("run-" + format + ".yaml", planted.configuration(port))
                    .toString();
            try (ChildCommand process = start(List.of("run", file, "--log", format))) {
                String told = "";
                for (String path : List.of(
                        "/health",
                        "/ready",
                        "/metrics",
                        "/",
                        "/api/overview",
                        "/api/relays/orders/to-kafka-login",
                        "/api/relays/tokens/from-tokens",
                        "/api/failures",
                        "/api/audit",
                        "/api/replays",
                        "/api/checks")) {
                    told += ask(process, "http://127.0.0.1:" + port + path);
                }
                for (String relay : List.of(
                        "to-kafka",
                        "to-kafka-login",
                        "to-kafka-tls",
                        "to-rabbit",
                        "to-rabbit-tls",
                        "to-pubsub",
                        "from-legacy",
                        "from-documents",
                        "from-tokens",
                        "from-misplaced")) {
                    Await.until(
                            relay + " to be in trouble",
                            () -> process.printed()
                                    .lines()
                                    .anyMatch(line -> line.matches(".*(WARN|ERROR).*\\b" + relay + "\\b[^-].*")));
                }
                process.terminate();
                assertThat(process.printed())
                        .as("the server quotes the user, which is a token")
                        .containsPattern("from-misplaced\\b.*\\[hidden]");
                assertThat(canaries.in(process.printed() + told))
                        .as("run --log %s", format)
                        .isEmpty();
            }
        }
    }

    private static List<String> formats() {
        return sampled(List.of("text", "json"), 1);
    }

    /** Some of them, sometimes these and sometimes those: each is a process of its own. The full check takes all. */
    private static <T> List<T> sampled(List<T> all, int count) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, Seeds.ofSample());
        return Boolean.getBoolean("waybill.full") ? all : shuffled.subList(0, count);
    }

    private static List<List<String>> everyCommand() {
        List<List<String>> commands = new ArrayList<>(List.of(
                List.of("config", config),
                List.of("init", "-c", config),
                List.of("doctor", "-c", config),
                List.of("doctor", "-c", config, "--json"),
                List.of("completion")));
        for (String store : List.of("orders", "legacy", "documents", "tokens")) {
            commands.add(List.of("status", "-c", config, "--store", store, "--json"));
            commands.add(List.of("events", "-c", config, "--store", store));
        }
        for (String destination : List.of("kafka", "kafka-login", "kafka-tls", "rabbit", "rabbit-tls", "pubsub")) {
            commands.add(List.of("dead-letters", "list", "-c", config, "--destination", destination, "orders"));
        }
        commands.addAll(List.of(
                List.of("show", "-c", config, "nothing"),
                List.of("requeue", "-c", config, "--relay", "to-kafka", "--yes", "--reason", "x", "--state", "dead"),
                List.of("discard", "-c", config, "--relay", "to-kafka", "--yes", "--reason", "x", "--state", "dead"),
                List.of("pause", "-c", config, "to-kafka", "--reason", "x"),
                List.of("resume", "-c", config, "from-legacy", "--reason", "x"),
                List.of("replay", "list", "-c", config),
                List.of("replay", "start", "-c", config, "--relay", "to-pubsub", "--yes", "--reason", "x"),
                List.of("replay", "run", "-c", config, "--relay", "to-kafka-login", "nothing"),
                List.of("replay", "cancel", "-c", config, "nothing"),
                List.of("relay", "drop", "-c", config, "from-documents", "--yes", "--reason", "x"),
                List.of("relay", "restore", "-c", config, "from-tokens", "--yes", "--reason", "x"),
                List.of("purge", "-c", config, "--older-than", "1d", "--yes", "--reason", "x"),
                List.of("adopt", "-c", config, "--store", "orders", "--yes", "--reason", "x"),
                List.of("audit", "-c", config),
                List.of(
                        "dead-letters",
                        "send-back",
                        "-c",
                        config,
                        "--destination",
                        "rabbit",
                        "orders",
                        "--all",
                        "--yes"),
                List.of(
                        "dead-letters",
                        "discard",
                        "-c",
                        config,
                        "--destination",
                        "kafka",
                        "orders",
                        "--all",
                        "--yes")));
        return commands;
    }

    /** Where nobody should write one, and somebody does. */
    private static List<List<String>> onTheCommandLine() throws IOException {
        String file =
                planted.write("password", canaries.awkward("a password file")).toString();
        return List.of(
                List.of("status", "--password=" + canaries.plain("--password=")),
                List.of("status", "--url", "jdbc:postgresql://app:" + canaries.plain("--url") + "@127.0.0.1:1/x"),
                List.of("status", "--url", planted.url() + "?user=app&password=" + canaries.plain("--url ?password")),
                List.of("status", "--url", planted.url(), "--user", "app", "--password-file", file),
                List.of(
                        "status",
                        "--layout",
                        "polyshop",
                        "--url",
                        "jdbc:mariadb://app:" + canaries.plain("--url of MariaDB") + "@127.0.0.1:1/x"),
                List.of("init", "--url", "jdbc:postgresql://app:" + canaries.plain("init --url") + "/@127.0.0.1:1/x"),
                List.of("status", "--password", canaries.plain("--password"), "--url", planted.url()),
                List.of("status", "jdbc:postgresql://app:" + canaries.plain("an argument") + "@127.0.0.1/x"),
                List.of("dead-letters", "list", "--kafka", "x://a:" + canaries.plain("--kafka") + "@127.0.0.1:1", "t"));
    }

    /** @return what they printed */
    private static List<String> runAll(List<List<String>> commands) throws Exception {
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            List<String> printed = new ArrayList<>();
            for (Future<String> one : two.invokeAll(commands.stream()
                    .<Callable<String>>map(command -> () -> run(command))
                    .toList())) {
                printed.add(one.get());
            }
            assertThat(printed).allSatisfy(all -> {
                assertThat(all.lines()).hasSizeGreaterThan(1);
                assertThat(canaries.in(all)).isEmpty();
            });
            return printed;
        } finally {
            two.shutdownNow();
        }
    }

    private static String run(List<String> command) throws Exception {
        try (ChildCommand child = start(command)) {
            int code = child.exitCode();
            return command.get(0) + " ended with " + code + ":\n" + child.printed();
        }
    }

    private static ChildCommand start(List<String> arguments) throws IOException {
        return ChildCommand.start(directory.resolve("output-" + runs.incrementAndGet()), environment, arguments);
    }

    private static String ask(ChildCommand process, String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        StringBuilder answer = new StringBuilder();
        Await.until("an answer of " + url, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("The process has ended: " + process.printed());
            }
            try {
                HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
                answer.append(response.headers()).append(response.body());
                return true;
            } catch (IOException e) {
                return false;
            }
        });
        return answer.toString();
    }
}
