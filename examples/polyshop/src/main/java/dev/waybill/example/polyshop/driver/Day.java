package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.polyshop.driver.Plan.Order;
import dev.waybill.example.polyshop.driver.Plan.Outcome;
import dev.waybill.example.polyshop.driver.Plan.Product;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * A day of the shop: products are entered, users register, orders come in while services are killed. Some orders are for products
 * that nobody has entered; in the evening an operator finds them among the dead letters, enters the products, and sends them back.
 * Two messages are garbage: they become dead letters of every service that gets them, and are discarded.
 */
final class Day {
    private static final int CUSTOMERS_AT_ONCE = 4;

    private final Optional<String> collector;
    private final Victims victims;

    /** @param collector where spans go */
    Day(Optional<String> collector, Victims victims) {
        this.collector = collector;
        this.victims = victims;
    }

    void play(ExampleRun run) throws Exception {
        Plan plan = new Plan(run.options().events(), run.random());
        Shop shop = Shop.open(run);
        run.say("starting nine services, a relay and a mail server; JVMs take a while …");
        Processes processes = new Processes(run, shop, collector);
        processes.start();
        Settled settled = new Settled(shop);
        Customers customers = new Customers(shop);
        show(run, plan, shop, customers);
        open(plan, customers);
        Garbage.write(shop);
        order(run, plan, processes, customers);

        Operator operator = new Operator(run, processes);
        int unknown = plan.count(Outcome.CONFIRMED_AFTER_MENDING);
        run.until(
                "all events have had their effects",
                everySecond(() -> settled.isSettled(plan.orders.size(), unknown, unknown)));
        run.until("the letters are there", everySecond(() -> areComplete(Letters.read(shop), unknown)));
        Closing closing = new Closing(run, plan, shop, processes);
        closing.letters(Letters.read(shop), operator);
        closing.discarded(operator.discardGarbage());
        closing.sentBack(mend(run, plan, customers, operator));
        run.until(
                "the letters that were sent back have had their effects",
                everySecond(() -> settled.isSettled(plan.orders.size(), 0, 0)));
        closing.balance(settled, customers);
    }

    private static boolean areComplete(Letters letters, int unknown) {
        return letters.ofUnknownProducts() == unknown
                && letters.unreadable().size() == Garbage.letters().size();
    }

    private static void show(ExampleRun run, Plan plan, Shop shop, Customers customers) {
        run.picture()
                .progress("orders placed", customers::placed, plan.orders.size())
                .progress(
                        "orders done",
                        () -> shop.count(Service.ORDER, "orders where status in ('CONFIRMED', 'CANCELLED')"),
                        plan.orders.size())
                .progress(
                        "mails sent",
                        () -> shop.count(Service.NOTIFICATION, "notifications where status = 'SENT'"),
                        plan.orders.size() + plan.confirmed())
                .number("events counted", () -> shop.count(Service.ANALYTICS, "processed_events"));
    }

    private static void open(Plan plan, Customers customers) {
        for (Product product : plan.products) {
            customers.create(product);
            customers.deliver(product);
        }
        plan.users.forEach(customers::register);
        for (Product product : plan.repriced()) {
            Plan.newPrices(product).forEach(price -> customers.changePrice(product, price));
        }
    }

    private void order(ExampleRun run, Plan plan, Processes processes, Customers customers) throws Exception {
        processes.all().stream().filter(child -> victims.includes(child.name())).forEach(run.chaos()::victim);
        ExecutorService threads = Executors.newFixedThreadPool(CUSTOMERS_AT_ONCE);
        try {
            Semaphore free = new Semaphore(CUSTOMERS_AT_ONCE);
            List<Future<?>> placing = new ArrayList<>();
            for (Order order : plan.orders) {
                free.acquire();
                placing.add(threads.submit(() -> {
                    try {
                        customers.place(order);
                    } finally {
                        free.release();
                    }
                }));
                run.chaos().progress(customers.placed());
                run.draw();
            }
            for (Future<?> one : placing) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        run.chaos().finish();
    }

    /** @return how many letters were sent back */
    private static int mend(ExampleRun run, Plan plan, Customers customers, Operator operator) throws Exception {
        for (Product product : plan.unknown) {
            customers.create(product);
            customers.deliver(product);
        }
        int letters = operator.sendBack();
        run.say("entered the missing products and sent " + letters + " letters back");
        return letters;
    }

    /** Counting takes time that the services need. */
    private static ExampleRun.Condition everySecond(ExampleRun.Condition condition) {
        return new ExampleRun.Condition() {
            private long next = System.nanoTime();

            @Override
            public boolean holds() throws Exception {
                if (System.nanoTime() - next < 0) {
                    return false;
                }
                boolean holds = condition.holds();
                next = System.nanoTime() + 500_000_000L;
                return holds;
            }
        };
    }
}
