package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.ExampleRun;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The closing balance: stock, payments, mails, events, traces, and who does what. */
final class Closing {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final ExampleRun run;
    private final Plan plan;
    private final Shop shop;
    private final Processes processes;
    private final Balance balance;
    private long deadLettered;
    private long listed;

    Closing(ExampleRun run, Plan plan, Shop shop, Processes processes) {
        this.run = run;
        this.plan = plan;
        this.shop = shop;
        this.processes = processes;
        this.balance = run.balance();
    }

    /** Before the operator does anything. */
    void letters(Map<String, JsonNode> letters, Operator operator) throws IOException, InterruptedException {
        int unknown = plan.count(Plan.Outcome.CONFIRMED_AFTER_MENDING);
        deadLettered = letters.size();
        listed = operator.list();
        balance.equal("dead letters of orders for unknown products", unknown, deadLettered)
                .equal("… with the document's fields", unknown, operator.complete(letters))
                .atLeast("… listed by waybill dead-letters", unknown, listed);
    }

    void sentBack(int letters) {
        balance.equal("… sent back by waybill dead-letters", listed, letters);
    }

    void balance(Settled settled, Customers customers) throws Exception {
        Messages messages = Messages.read(shop);
        Logs logs = new Logs(processes.all());
        effects();
        events(settled, messages);
        traces(customers, logs);
        responsibilities(messages);
        run.chaos().report(balance);
        table(settled, messages, logs);
        run.say(customers.repeated() + " requests were repeated because a service was away; " + mails(true)
                + " mails were sent again and recognised by their Message-ID");
    }

    private void effects() throws SQLException, IOException {
        int confirmed = plan.confirmed();
        balance.equal("orders", plan.orders.size(), shop.count(Service.ORDER, "orders"))
                .equal("… confirmed", confirmed, shop.count(Service.ORDER, "orders where status = 'CONFIRMED'"))
                .equal(
                        "… cancelled",
                        plan.orders.size() - confirmed,
                        shop.count(Service.ORDER, "orders where status = 'CANCELLED'"))
                .equal("products with another stock than expected", 0, wrongStocks())
                .equal(
                        "orders whose stock moved twice",
                        0,
                        shop.count(
                                Service.INVENTORY,
                                "(select 1 from movements group by order_id, product_id, kind having count(*) > 1) as m"))
                .equal("payments", confirmed, shop.count(Service.PAYMENT, "payments where status = 'SUCCESS'"))
                .equal(
                        "payments that failed",
                        plan.count(Plan.Outcome.NOT_PAID),
                        shop.count(Service.PAYMENT, "payments where status = 'FAILED'"))
                .equal(
                        "cents paid",
                        plan.revenue(),
                        sum(Service.PAYMENT, "amount", "payments where status = 'SUCCESS'"))
                .equal("cents counted by analytics", plan.revenue(), sum(Service.ANALYTICS, "amount", "revenue"))
                .equal("mails in the mailbox", plan.orders.size() + confirmed, mails(false))
                .equal(
                        "prices that differ in the search index",
                        0,
                        differences(
                                shop.in(Service.PRODUCT).texts("select product_id || ' ' || price from products"),
                                shop.in(Service.SEARCH).texts("select product_id || ' ' || price from product_index")));
    }

    private long sum(Service service, String column, String from) throws SQLException {
        return shop.in(service).number("select coalesce(sum(" + column + "), 0) from " + from);
    }

    private static long differences(List<String> some, List<String> others) {
        return some.stream().filter(one -> !others.contains(one)).count() + Math.abs(some.size() - others.size());
    }

    private long wrongStocks() throws SQLException {
        Map<UUID, Integer> found = new HashMap<>();
        for (String line : shop.in(Service.INVENTORY).texts("select product_id || ' ' || on_hand from stock")) {
            String[] parts = line.split(" ", 2);
            found.put(UUID.fromString(parts[0]), Integer.valueOf(parts[1]));
        }
        Map<UUID, Integer> expected = plan.stockAtTheEnd();
        long wrong = expected.entrySet().stream()
                .filter(stock -> !stock.getValue().equals(found.get(stock.getKey())))
                .count();
        return wrong + Math.abs(expected.size() - found.size());
    }

    /** @param again those that the mail server had already, or those that are new to it */
    private long mails(boolean again) throws IOException {
        return Files.readAllLines(processes.mailbox).stream()
                .map(JSON::readTree)
                .filter(mail -> mail.path("repeated").asBoolean() == again)
                .count();
    }

    private void events(Settled settled, Messages messages) throws SQLException {
        for (Service service : Service.withDatabases()) {
            if (service.hasOutbox()) {
                long produced = settled.produced(service.produces());
                balance.equal("events of " + service.label + " in Kafka", produced, messages.from(service));
            }
            if (!service.consumes().isEmpty()) {
                balance.equal(
                        "events processed by " + service.label,
                        messages.events(service.consumes()),
                        shop.count(service, "processed_events"));
            }
        }
        balance.equal("messages with a key of another entity", 0, messages.wrongKeys())
                .equal("messages with an incomplete envelope", 0, messages.incomplete())
                .equal(
                        "events counted by analytics",
                        messages.events(Service.ANALYTICS.consumes()),
                        sum(Service.ANALYTICS, "events", "event_counts"));
    }

    private void traces(Customers customers, Logs logs) throws Exception {
        Map<String, String> ofOrders = new HashMap<>();
        for (String line : shop.in(Service.ORDER)
                .texts("select aggregate_id || ' ' || split_part(headers ->> 'traceparent', '-', 2) from outbox_events"
                        + " where event_type = 'order.order.placed.v1'")) {
            String[] parts = line.split(" ", 2);
            ofOrders.put(parts[0], parts[1]);
        }
        long otherMails = 0;
        for (String line : Files.readAllLines(processes.mailbox)) {
            JsonNode mail = JSON.readTree(line);
            String order = mail.path("subject").asString().replaceFirst(".* ", "");
            otherMails += mail.path("traceId").asString().equals(ofOrders.get(order)) ? 0 : 1;
        }
        Map<UUID, String> answered = customers.traces();
        long otherRequests = answered.entrySet().stream()
                .filter(request ->
                        !request.getValue().equals(ofOrders.get(request.getKey().toString())))
                .count();
        balance.equal("orders with another trace than their request", 0, otherRequests)
                .equal("mails with another trace than their order", 0, otherMails)
                .equal("lines about an event without a trace", 0, logs.withoutTrace())
                .equal("services with log lines of a confirmed order's trace", 6, logs.with(sample(ofOrders)));
    }

    /** The trace of an order that went all the way: gateway, order, inventory, payment, notification and analytics. */
    private String sample(Map<String, String> ofOrders) {
        return plan.orders.stream()
                .filter(order -> order.outcome() == Plan.Outcome.CONFIRMED)
                .map(order -> String.valueOf(ofOrders.get(order.id().toString())))
                .findFirst()
                .orElse("none");
    }

    private void responsibilities(Messages messages) throws Exception {
        for (Service service : Service.values()) {
            boolean database = service.hasDatabase();
            String found = Service.words(
                    messages.from(service) > 0,
                    database && hasTable(service, "outbox_events"),
                    messages.groups().contains(service.label),
                    database && hasTable(service, "processed_events"));
            balance.equal("section 10: " + service.label, service.responsibilities(), found);
        }
    }

    private boolean hasTable(Service service, String table) throws SQLException {
        return shop.count(service, "pg_tables where tablename = '" + table + "'") == 1;
    }

    private void table(Settled settled, Messages messages, Logs logs) throws SQLException {
        run.say(String.format(
                Locale.ROOT,
                "%-21s %9s %9s %11s %14s",
                "service",
                "produced",
                "consumed",
                "duplicates",
                "dead-lettered"));
        for (Service service : Service.values()) {
            run.say(String.format(
                    Locale.ROOT,
                    "%-21s %,9d %,9d %,11d %,14d",
                    service.label,
                    service.hasOutbox() ? settled.produced(service.produces()) : 0,
                    service.hasDatabase() ? shop.count(service, "processed_events") : 0,
                    logs.duplicates(service.label),
                    service == Service.INVENTORY ? deadLettered : 0));
        }
        run.say(messages.repeated()
                + " messages came again: those of killed relays, and the letters that were sent back");
    }
}
