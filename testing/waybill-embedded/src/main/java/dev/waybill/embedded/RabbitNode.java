package dev.waybill.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The programs of Debian's RabbitMQ, and an environment that isolates the node: all files in its directory, all ports on
 * loopback. The programs are run from the package's own directory, because those on the PATH switch to another user.
 */
record RabbitNode(ServerDirectory directory, int port, int distributionPort, int epmdPort, int controlPort) {
    private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/bin");
    private static final Path SERVER = PROGRAMS.resolve("rabbitmq-server");
    private static final Path CONTROL = PROGRAMS.resolve("rabbitmqctl");
    private static final Path EPMD = Path.of("/usr/bin/epmd");
    /** By default they spin for a while, which takes processor time from the tests. */
    private static final String IDLE_THREADS_SLEEP = " +sbwt none +sbwtdcpu none +sbwtdio none";

    private static final Path ERL_CALL = Path.of("/usr/lib/erlang/bin/erl_call");
    private static final List<Path> NEEDED = List.of(SERVER, CONTROL, EPMD, ERL_CALL);

    static boolean isInstalled() {
        return NEEDED.stream().allMatch(Files::isExecutable);
    }

    static String whatIsNeeded() {
        return NEEDED.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    static RabbitNode create(Map<String, String> extraSettings) {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < 4) {
            ports.add(FreePort.choose());
        }
        List<Integer> four = List.copyOf(ports);
        RabbitNode node =
                new RabbitNode(ServerDirectory.create("rabbitmq"), four.get(0), four.get(1), four.get(2), four.get(3));
        node.writeSettings(extraSettings);
        node.linkPlugins();
        return node;
    }

    private void writeSettings(Map<String, String> extra) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("log.console", "true");
        settings.put("log.file", "false");
        settings.put("disk_free_limit.absolute", "10MB");
        settings.putAll(extra);
        settings.put("listeners.tcp.1", "127.0.0.1:" + port);
        List<String> lines = new ArrayList<>();
        settings.forEach((name, value) -> lines.add(name + " = " + value));
        try {
            Files.write(settingsFile(), lines);
        } catch (IOException e) {
            throw new EmbeddedServerException("RabbitMQ's settings could not be written: " + e.getMessage(), e);
        }
    }

    /**
     * The node looks through all plugins that it finds, although none is enabled: a fifth of the time of its start. It gets a
     * directory with its own application alone, which has the schema of its settings.
     */
    private void linkPlugins() {
        try {
            Files.createDirectory(plugins());
            try (Stream<Path> servers = Files.list(PROGRAMS.resolveSibling("lib"))) {
                for (Path server : servers.toList()) {
                    linkApplication(server.resolve("plugins"));
                }
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("RabbitMQ's plugins could not be found: " + e.getMessage(), e);
        }
    }

    private void linkApplication(Path all) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(all, "rabbit-[0-9]*")) {
            for (Path application : found) {
                Files.createSymbolicLink(plugins().resolve(application.getFileName()), application);
            }
        }
    }

    private Path plugins() {
        return directory.root().resolve("applications");
    }

    ServerProcess startEpmd() {
        return ServerProcess.start(
                directory,
                withEnvironment(EPMD.toString(), "-address", "127.0.0.1", "-port", String.valueOf(epmdPort)));
    }

    ServerProcess startServer() {
        return ServerProcess.start(directory, withEnvironment(SERVER.toString()));
    }

    /** Runs rabbitmqctl on this node, which takes seconds. */
    Answer control(String... words) {
        return answer(Stream.concat(Stream.of(CONTROL.toString(), "--quiet"), Stream.of(words)));
    }

    /**
     * Calls a function inside this node, which takes milliseconds.
     *
     * @param call module, function and list of arguments, as in {@code erlang node []}
     */
    Answer call(String call, Duration atMost) {
        String seconds = String.valueOf(atMost.toSeconds());
        return answer(Stream.of(ERL_CALL.toString(), "-sname", name(), "-timeout", seconds, "-a", call));
    }

    /**
     * Evaluates Erlang inside this node, which takes milliseconds.
     *
     * @param expressions the last one ends with a full stop
     * @return what they print, and in the last line their value or the error
     */
    Answer evaluate(String expressions, Duration atMost) {
        String seconds = String.valueOf(atMost.toSeconds());
        return answer(
                expressions + "\n",
                Stream.of(ERL_CALL.toString(), "-sname", name(), "-timeout", seconds, "-fetch_stdout", "-e"));
    }

    private Answer answer(Stream<String> words) {
        return answer("", words);
    }

    private Answer answer(String input, Stream<String> words) {
        List<String> all = words.toList();
        try {
            Process process = withEnvironment(all.toArray(String[]::new))
                    .redirectErrorStream(true)
                    .start();
            try (OutputStream to = process.getOutputStream()) {
                to.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.onExit().join().exitValue(), output);
        } catch (IOException e) {
            throw new EmbeddedServerException(all.get(0) + " could not be run: " + e.getMessage(), e);
        }
    }

    private String name() {
        return "waybill" + port + "@localhost";
    }

    record Answer(int exitCode, String output) {}

    private ProcessBuilder withEnvironment(String... words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        Map<String, String> environment = new HashMap<>(builder.environment());
        // Settings of the machine's RabbitMQ must not apply to this one.
        environment.keySet().removeIf(name -> name.startsWith("RABBITMQ_") || name.startsWith("ERL_"));
        environment.putAll(environment());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    private Map<String, String> environment() {
        String onLoopback = "-kernel inet_dist_use_interface {127,0,0,1}";
        Path root = directory.root();
        return Map.ofEntries(
                // Where Erlang keeps its cookie.
                Map.entry("HOME", root.toString()),
                Map.entry("ERL_CRASH_DUMP", root.resolve("erl_crash.dump").toString()),
                Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                Map.entry("ERL_EPMD_PORT", String.valueOf(epmdPort)),
                Map.entry("RABBITMQ_NODENAME", name()),
                Map.entry("RABBITMQ_MNESIA_BASE", directory.data().toString()),
                Map.entry("RABBITMQ_LOG_BASE", root.toString()),
                Map.entry("RABBITMQ_CONFIG_FILE", settingsFile().toString()),
                Map.entry(
                        "RABBITMQ_ENABLED_PLUGINS_FILE", root.resolve("plugins").toString()),
                Map.entry("RABBITMQ_PLUGINS_DIR", plugins().toString()),
                Map.entry("RABBITMQ_CONF_ENV_FILE", root.resolve("none").toString()),
                Map.entry("RABBITMQ_DIST_PORT", String.valueOf(distributionPort)),
                Map.entry("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", onLoopback + IDLE_THREADS_SLEEP),
                Map.entry("RABBITMQ_CTL_ERL_ARGS", onLoopback),
                Map.entry("RABBITMQ_CTL_DIST_PORT_MIN", String.valueOf(controlPort)),
                Map.entry("RABBITMQ_CTL_DIST_PORT_MAX", String.valueOf(controlPort)),
                // Makes the script exec the server instead of waiting for it: one process, whose id is known.
                Map.entry("RUNNING_UNDER_SYSTEMD", "true"));
    }

    private Path settingsFile() {
        return directory.root().resolve("rabbitmq.conf");
    }
}
