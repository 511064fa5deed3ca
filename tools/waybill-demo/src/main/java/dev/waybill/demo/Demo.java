package dev.waybill.demo;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code waybill demo}. */
@Command(
        name = "waybill demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = BreakCommand.class,
        description = {
            "Starts embedded PostgreSQL (durable) and Kafka, an order service that appends events in its transactions, a"
                    + " process with a relay and the console, and a consumer.",
            "Stop it with Ctrl-C."
        })
public final class Demo implements Callable<Integer> {
    static final int ENDLESS = 0;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "append this many events, then only relay; default: append until stopped")
    private int events = ENDLESS;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "append about this many events per second; default: no limit")
    private int rate;

    @Option(
            names = "--exit",
            description =
                    "with --events: end when everything is delivered, then check all of Kafka; exit code 1 if an event is lost"
                            + " or out of order")
    private boolean exit;

    @Option(
            names = "--no-load",
            description =
                    "start everything but the order service, print the addresses of the servers, and relay what others insert")
    private boolean noLoad;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Demo()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (events < 0 || rate < 0 || (exit && events == ENDLESS) || (noLoad && (exit || events != ENDLESS))) {
            System.err.println(
                    "waybill demo: --events and --rate take 1 or more, --exit needs --events, and --no-load goes"
                            + " without both.");
            return CommandLine.ExitCode.USAGE;
        }
        try (Ending ending = new Ending();
                Shop shop = Shop.open()) {
            welcome(shop);
            ending.listen();
            return noLoad ? relayOnly(shop, ending) : runLoad(shop, ending);
        }
    }

    private static void welcome(Shop shop) {
        long pid = ProcessHandle.current().pid();
        System.out.println("console: " + shop.console());
        System.out.println();
        System.out.println("To break something, paste one of these into another terminal, and watch the console:");
        for (Breakage each : Breakage.values()) {
            System.out.printf("  ./waybill demo break %-6s --of %d   # %s%n", each, pid, each.description());
        }
        System.out.println();
        System.out.flush();
    }

    private static int relayOnly(Shop shop, Ending ending) throws InterruptedException {
        System.out.println("postgres: " + shop.jdbcUrl());
        System.out.println("kafka: " + shop.bootstrapServers());
        System.out.println("Insert into waybill.event; each event goes to the topic of its type. Ctrl-C stops.");
        System.out.flush();
        ending.await();
        System.out.println("demo: relayed=" + shop.statistics().published());
        return 0;
    }

    private int runLoad(Shop shop, Ending ending) throws Exception {
        long begun = System.nanoTime();
        try (OrderService service = new OrderService(shop, events, rate);
                Consumer consumer = new Consumer(shop.bootstrapServers());
                LiveView view = new LiveView(shop, service, consumer, events)) {
            service.start();
            view.show(() ->
                    ending.isReached() || (exit && service.isDone() && consumer.distinct() >= service.appended()));
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        if (!exit || ending.isReached()) {
            System.out.println("demo: stopped");
            return 0;
        }
        Verdict verdict = new Judge(shop).judge();
        System.out.println(verdict.line(seconds));
        return verdict.isGood() ? 0 : 1;
    }
}
