package dev.waybill.example.orderservice.driver;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Child;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.KafkaTopics;
import dev.waybill.example.kit.Program;
import dev.waybill.example.kit.Sql;
import dev.waybill.example.orderservice.OrderService;
import dev.waybill.example.orderservice.Shipping;
import dev.waybill.server.cli.WaybillCommand;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.json.JsonMapper;

/**
 * A day: customers place orders and cancel some. Nobody has created the topic of cancellations, so their rows become FAILED; in the
 * evening an operator creates the topic and requeues them.
 */
final class Day {
    private static final String CREATED = "OrderCreated";
    private static final String CANCELLED = "OrderCancelled";
    private static final String RELAY = "outbox-to-kafka";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final ExampleRun run;
    private final PostgresServer postgres;
    private final KafkaServer kafka;
    private final String database;
    private final String shippingDatabase;
    private final Sql orders;
    private final Sql shipping;
    private final KafkaTopics topics;
    private final Path configuration;
    private final Customers customers;
    private final int port = FreePort.choose();

    Day(ExampleRun run) throws Exception {
        this.run = run;
        run.say("starting PostgreSQL and Kafka …");
        postgres = run.closing(PostgresServer.start());
        kafka = run.closing(KafkaServer.start(Map.of("auto.create.topics.enable", "false")));
        database = postgres.createDatabase("orders");
        shippingDatabase = postgres.createDatabase("shipping");
        orders = new Sql(postgres.dataSource(database));
        shipping = new Sql(postgres.dataSource(shippingDatabase));
        topics = new KafkaTopics(kafka.bootstrapServers());
        topics.create(CREATED, CREATED + ".dlt", CANCELLED + ".dlt");
        configuration = run.file("orders.yaml");
        customers = new Customers(run, port);
    }

    void play() throws Exception {
        run.say("orders: " + postgres.jdbcUrl(database) + ", shipping: " + postgres.jdbcUrl(shippingDatabase)
                + ", kafka: " + kafka.bootstrapServers());
        Child service = run.start(Program.java("orders", OrderService.class)
                .environment(Map.of("DB_URL", postgres.jdbcUrl(database), "PORT", Integer.toString(port)))
                .readyWhen("order-service: ready"));
        waybill("init", "init", "--config", configuration.toString());
        Child shippingProcess = run.launch(Program.java("shipping", Shipping.class)
                .environment(Map.of(
                        "DB_URL",
                        postgres.jdbcUrl(shippingDatabase),
                        "KAFKA_BOOTSTRAP_SERVERS",
                        kafka.bootstrapServers()))
                .readyWhen("shipping: ready"));
        Child relay = run.start(
                waybillProgram("relay", "run", configuration.toString()).readyWhen("says whether they make progress"));
        shippingProcess.awaitReady();
        run.chaos().victim(service).victim(relay).victim(shippingProcess);
        int goal = run.options().events();
        run.picture()
                .progress("orders placed", customers::placed, goal)
                .number("SENT", () -> rows("SENT"))
                .number("NEW", () -> rows("NEW"))
                .number("FAILED", () -> rows("FAILED"))
                .progress("shipped", () -> shipping.number("select count(*) from shipments"), goal);

        while (customers.placed() < goal) {
            customers.placeOne();
            run.chaos().progress(customers.placed());
        }
        run.chaos().finish();
        awaitFailed(relay);
        repair();
        balance();
    }

    private void awaitFailed(Child relay) throws Exception {
        run.until("every order is sent, and every cancellation is FAILED", () -> rows("NEW") == 0);
        Balance balance = run.balance();
        balance.equal("O2 rows FAILED: the topic " + CANCELLED + " is missing", customers.cancelled(), rows("FAILED"));
        balance.equal(
                "O2 of these, with the error in the row",
                customers.cancelled(),
                orders.number("select count(*) from outbox where status = 'FAILED' and event_type = '" + CANCELLED
                        + "' and error_message like '%" + CANCELLED + "%' and sent_at is null"));
        String dead =
                waybill("events", "events", "--config", configuration.toString(), "--relay", RELAY, "--state", "DEAD");
        run.say("the operator lists them:" + System.lineSeparator()
                + String.join(System.lineSeparator(), dead.lines().limit(4).toList()));
        balance.atLeast(
                "O7 lines in the relay's log: dead after 6 attempts",
                1,
                relay.lines().stream()
                        .filter(line -> line.contains("ERROR") && line.contains("dead after 6 attempts"))
                        .count());
    }

    private void repair() throws Exception {
        run.say("the operator creates the topic and requeues the FAILED rows");
        topics.create(CANCELLED);
        run.say(waybill(
                        "requeue",
                        "requeue",
                        "--config",
                        configuration.toString(),
                        "--relay",
                        RELAY,
                        "--state",
                        "DEAD",
                        "--reason",
                        "the topic " + CANCELLED + " was missing",
                        "--yes")
                .strip());
        run.until(
                "everything is sent, and shipping knows it",
                () -> rows("SENT") == customers.placed() + customers.cancelled()
                        && shipping.number("select count(*) from shipments") >= customers.placed()
                        && shipping.number("select count(*) from cancellations") >= customers.cancelled());
    }

    private void balance() throws Exception {
        int all = customers.placed() + customers.cancelled();
        Balance balance = run.balance();
        balance.same(
                "orders in the table, with customer, pieces and cents",
                customers.orders(),
                orders.texts("select concat(o.id, ' ', customer, ' ', sum(quantity), ' pieces ', total_cents, ' cents')"
                        + " from orders o join order_items on order_id = o.id group by o.id"));
        balance.equal(
                "rule 1: events of the " + customers.refused() + " orders that were rolled back",
                0,
                orders.number("select count(*) from outbox where aggregate_id not in (select id from orders)"));
        balance.equal("O3 rows FAILED after the requeue", 0, rows("FAILED"));
        balance.equal("O5 rows of the day still in the table, SENT, with sent_at", all, sentRows());
        balance.equal(
                "O6 rows whose payload does not have their id as eventId",
                0,
                orders.number("select count(*) from outbox where payload::json ->> 'eventId' <> id::text"));
        messages(balance);
        balance.same(
                "O6 shipments, with customer, pieces and cents",
                customers.orders(),
                shipping.texts(
                        "select concat(order_id, ' ', customer, ' ', pieces, ' pieces ', total_cents, ' cents') from shipments"));
        balance.same(
                "cancellations known to shipping",
                customers.cancellations(),
                shipping.texts("select order_id from cancellations"));
        balance.equal(
                "audit entries with the operator's reason",
                1,
                waybill("audit", "audit", "--config", configuration.toString(), "--json")
                        .lines()
                        .filter(line -> line.contains("the topic " + CANCELLED + " was missing"))
                        .count());
        run.chaos().report(balance);
    }

    private void messages(Balance balance) throws Exception {
        List<ConsumerRecord<String, String>> messages = topics.everything(List.of(CREATED, CANCELLED));
        Set<String> rows = new HashSet<>(orders.texts("select id from outbox"));
        Set<String> ids = new HashSet<>();
        long wrong = 0;
        for (ConsumerRecord<String, String> message : messages) {
            String id = KafkaTopics.header(message, "event-id").orElse("");
            ids.add(message.topic() + " " + id);
            boolean right = rows.contains(id)
                    && JSON.readTree(message.value())
                            .path("eventId")
                            .asString("")
                            .equals(id)
                    && JSON.readTree(message.value())
                            .path("orderId")
                            .asString("")
                            .equals(message.key());
            wrong += right ? 0 : 1;
        }
        balance.same(
                "events in Kafka, on the topic of their type",
                orders.texts("select event_type || ' ' || id from outbox"),
                ids);
        balance.equal("messages that are no row of the outbox", 0, wrong);
        run.say(messages.size() - ids.size() + " messages were sent again after a kill, and had no second effect");
    }

    private long rows(String status) throws Exception {
        return orders.number("select count(*) from outbox where status = '" + status + "'");
    }

    private long sentRows() throws Exception {
        return orders.number("select count(*) from outbox where status = 'SENT' and sent_at >= created_at");
    }

    /** Runs a command of Waybill to its end. */
    private String waybill(String name, String... arguments) throws Exception {
        return run.execute(waybillProgram(name, arguments));
    }

    private Program waybillProgram(String name, String... arguments) {
        return Program.java(name, WaybillCommand.class, arguments)
                .environment(Map.of(
                        "PORT",
                        "0",
                        "DB_HOST",
                        "127.0.0.1",
                        "DB_PORT",
                        Integer.toString(postgres.port()),
                        "DB_NAME",
                        database,
                        "DB_USER",
                        "postgres",
                        "DB_PASSWORD",
                        "not-needed-on-loopback",
                        "KAFKA_BOOTSTRAP_SERVERS",
                        kafka.bootstrapServers()));
    }
}
