package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.Child;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Program;
import dev.waybill.example.polyshop.common.EventTypes;
import dev.waybill.server.cli.WaybillCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The processes of the shop: nine services, the relay of the tables of Node.js and Python, and a mail server. */
final class Processes {
    /** The process that publishes the tables of Node.js and Python. */
    static final String RELAY = "waybill-run";

    /** More would only slow each other down. */
    private static final int STARTING_AT_ONCE = 3;

    private final ExampleRun run;
    private final Shop shop;
    private final Optional<String> collector;
    private final Map<String, Child> children = new LinkedHashMap<>();
    private final Deque<Child> starting = new ArrayDeque<>();
    /** The configuration of the relay, and of the commands of operators. */
    final Path configuration;

    /** One line of JSON for each mail that was delivered. */
    final Path mailbox;

    /** @param collector where spans go */
    Processes(ExampleRun run, Shop shop, Optional<String> collector) throws IOException {
        this.run = run;
        this.shop = shop;
        this.collector = collector;
        this.mailbox = run.folder().resolve("mailbox.jsonl");
        this.configuration = run.folder().resolve("waybill.yaml");
        Files.writeString(mailbox, "");
        Files.writeString(configuration, yaml());
    }

    /** Starts everything; returns when everything is ready. */
    void start() throws IOException {
        Child mail = run.start(Program.command(
                        "mail-server",
                        List.of(
                                Tools.PYTHON,
                                Tools.notification().resolve("mail_server.py").toString(),
                                mailbox.toString()))
                .readyWhen("listening on "));
        String mailPort = mail.lines().get(0).replaceFirst(".*listening on ", "");
        launch(Program.java(RELAY, WaybillCommand.class, "run", configuration.toString())
                .readyWhen("relays run"));
        for (Service service : Service.values()) {
            launch(program(service, mailPort).readyWhen(service.label + " is ready"));
        }
        while (!starting.isEmpty()) {
            awaitOldest();
        }
    }

    private void launch(Program program) throws IOException {
        if (starting.size() == STARTING_AT_ONCE) {
            awaitOldest();
        }
        Child child = run.launch(program);
        children.put(program.name(), child);
        starting.add(child);
    }

    private void awaitOldest() {
        Child child = starting.remove();
        child.awaitReady();
        run.say(child.name() + " is ready");
    }

    Child child(String name) {
        return Objects.requireNonNull(children.get(name), name);
    }

    List<Child> all() {
        return List.copyOf(children.values());
    }

    private Program program(Service service, String mailPort) {
        return switch (service) {
            case GATEWAY, AUTH, PRODUCT, ORDER, INVENTORY ->
                Program.java(service.label, service.main(), springArguments(service));
            case SEARCH, ANALYTICS -> {
                Map<String, String> environment = new HashMap<>();
                environment.put("DATABASE_URL", shop.jdbcUrl(service));
                environment.put("KAFKA", shop.kafka.bootstrapServers());
                collector.ifPresent(address -> environment.put("OTLP", address));
                yield Program.java(service.label, service.main()).environment(environment);
            }
            case PAYMENT ->
                Program.command(
                                service.label,
                                List.of(
                                        Tools.NODE,
                                        Tools.payment().resolve("service.js").toString()))
                        .environment(Map.of(
                                "DATABASE_URL", shop.url(service),
                                "KAFKA", shop.kafka.bootstrapServers(),
                                "CARD_LIMIT", Long.toString(Plan.CARD_LIMIT)));
            case NOTIFICATION ->
                Program.command(
                                service.label,
                                List.of(
                                        Tools.PYTHON,
                                        Tools.notification()
                                                .resolve("service.py")
                                                .toString()))
                        .environment(Map.of(
                                "DATABASE_URL",
                                shop.url(service),
                                "KAFKA",
                                shop.kafka.bootstrapServers(),
                                "SMTP",
                                "127.0.0.1:" + mailPort,
                                "PYTHONDONTWRITEBYTECODE",
                                "1"));
        };
    }

    private String[] springArguments(Service service) {
        List<String> arguments = new ArrayList<>(List.of("--server.port=" + shop.port(service)));
        collector.ifPresentOrElse(
                address -> arguments.add("--management.opentelemetry.tracing.export.otlp.endpoint=" + address),
                () -> arguments.add("--management.tracing.export.otlp.enabled=false"));
        if (service == Service.GATEWAY) {
            for (Service behind : List.of(Service.AUTH, Service.PRODUCT, Service.ORDER)) {
                arguments.add("--polyshop." + behind.label.replace("-service", "") + "=http://127.0.0.1:"
                        + shop.port(behind));
            }
        } else {
            arguments.add("--spring.datasource.url=" + shop.jdbcUrl(service));
            arguments.add("--spring.kafka.bootstrap-servers=" + shop.kafka.bootstrapServers());
        }
        return arguments.toArray(String[]::new);
    }

    private String yaml() {
        String relays = String.join(
                "",
                Arrays.asList(Service.PAYMENT, Service.NOTIFICATION).stream()
                        .map(service -> """
                                  %1$s:
                                    store: %1$s
                                    destination: kafka
                                    format: envelope
                                    source: %1$s
                                    registry: "%2$s"
                                    poll: { interval: 50ms, max-idle: 200ms }
                                """.formatted(service.label, EventTypes.file()))
                        .toList());
        return """
                server: { port: 0 }
                stores:
                %s%sdestinations:
                  kafka: { type: kafka, properties: { bootstrap.servers: "%s", compression.type: none } }
                relays:
                %s""".formatted(
                        store(Service.PAYMENT, "Payment"),
                        store(Service.NOTIFICATION, "Notification"),
                        shop.kafka.bootstrapServers(),
                        relays);
    }

    private String store(Service service, String aggregateType) {
        return """
                  %s:
                    type: table
                    url: "%s"
                    user: postgres
                    layout: { preset: polyshop, columns: { headers: headers }, aggregate-type: %s }
                """.formatted(service.label, shop.jdbcUrl(service).replaceFirst("\\?.*", ""), aggregateType);
    }
}
