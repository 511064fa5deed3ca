package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.ExampleRun;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** The closing balance: stock, payments, mails, events, traces, and who does what. */
final class Closing {
    private final ExampleRun run;
    private final Plan plan;
    private final Shop shop;
    private final Processes processes;
    private final Mailbox mailbox;
    private final Balance balance;
    private Map<String, Long> deadLettered = Map.of();
    private long listed;

    Closing(ExampleRun run, Plan plan, Shop shop, Processes processes) {
        this.run = run;
        this.plan = plan;
        this.shop = shop;
        this.processes = processes;
        this.mailbox = new Mailbox(processes.mailbox);
        this.balance = run.balance();
    }

    /** Before the operator does anything. */
    void letters(Letters letters, Operator operator) throws IOException, InterruptedException {
        int unknown = plan.count(Plan.Outcome.CONFIRMED_AFTER_MENDING);
        deadLettered = letters.byConsumer();
        listed = operator.list();
        balance.equal("dead letters of orders for unknown products", unknown, letters.ofUnknownProducts())
                .equal("… with the document's fields", unknown, letters.complete())
                .atLeast("… listed by waybill dead-letters", unknown, listed)
                .same(
                        "dead letters of unreadable messages, one of each consumer",
                        Garbage.letters(),
                        letters.unreadable());
    }

    void discarded(int letters) {
        balance.atLeast("… discarded by waybill dead-letters", Garbage.letters().size(), letters);
    }

    void sentBack(int letters) {
        balance.equal("… sent back by waybill dead-letters", listed, letters);
    }

    void balance(Settled settled, Customers customers) throws Exception {
        Messages messages = Messages.read(shop);
        Logs logs = new Logs(processes.all());
        new Effects(plan, shop, processes.mailbox, balance).compare();
        events(messages);
        traces(customers, logs);
        responsibilities(messages);
        run.chaos().report(balance);
        table(settled, messages, logs);
        run.say(customers.repeated() + " requests were repeated because a service was away; " + mailbox.repeated()
                + " mails were sent again and recognised by their Message-ID");
    }

    private void events(Messages messages) throws SQLException {
        Map<String, Long> planned = plan.events();
        balance.same("events in Kafka, of each type as many as planned", numbered(planned), numbered(messages.byType()))
                .same(
                        "events counted by analytics",
                        numbered(planned),
                        shop.in(Service.ANALYTICS).texts("select event_type || ' ' || events from event_counts"));
        for (Service service : Service.withDatabases()) {
            if (service.hasOutbox()) {
                balance.same(
                        "events of " + service.label + " in Kafka, which are those of its outbox",
                        shop.in(service).texts("select id from outbox_events"),
                        messages.from(service));
            }
            if (!service.consumes().isEmpty()) {
                balance.same(
                        "events processed by " + service.label,
                        messages.events(service.consumes()),
                        shop.in(service).texts("select event_id from processed_events"));
            }
        }
        balance.equal("messages with a key of another entity", 0, messages.wrongKeys())
                .equal("messages with an incomplete envelope", 0, messages.incomplete())
                .equal("messages that are no envelope", Garbage.TOPICS.size(), messages.unreadable())
                .equal("orders whose events have several traces or correlations", 0, messages.torn());
    }

    private static List<String> numbered(Map<String, Long> events) {
        return events.entrySet().stream()
                .map(type -> type.getKey() + " " + type.getValue())
                .toList();
    }

    private void traces(Customers customers, Logs logs) throws Exception {
        Map<String, String> ofOrders = new HashMap<>();
        for (String line : shop.in(Service.ORDER)
                .texts("select aggregate_id || ' ' || split_part(headers ->> 'traceparent', '-', 2) from outbox_events"
                        + " where event_type = 'order.order.placed.v1'")) {
            String[] parts = line.split(" ", 2);
            ofOrders.put(parts[0], parts[1]);
        }
        Map<UUID, String> answered = customers.traces();
        long otherRequests = answered.entrySet().stream()
                .filter(request ->
                        !request.getValue().equals(ofOrders.get(request.getKey().toString())))
                .count();
        balance.equal("orders with another trace than their request", 0, otherRequests)
                .equal("mails with another trace than their order", 0, mailbox.strayed(ofOrders))
                .equal("lines about an event without its id or its trace", 0, logs.incomplete())
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
                    !messages.from(service).isEmpty(),
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
                    deadLettered.getOrDefault(service.label, 0L)));
        }
        run.say(messages.repeated()
                + " messages came again: those of killed relays, and the letters that were sent back");
    }
}
