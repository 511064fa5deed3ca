package dev.waybill.example.notifications.driver;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Chaos;
import dev.waybill.example.kit.Child;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Program;
import dev.waybill.example.kit.Sql;
import dev.waybill.example.notifications.BookingService;
import dev.waybill.example.notifications.Listeners;
import dev.waybill.server.cli.WaybillCommand;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A day: business of four kinds, and one that nobody routes yet, while publishers, listeners, broker and database die. */
final class Day {
    private static final List<String> KINDS = List.of("restaurant", "customer", "agency", "admin");
    private static final Map<String, String> PROPERTIES = Map.of(
            "NOTIFICATION_OUTBOX_POLL_INTERVAL", "250",
            "NOTIFICATION_OUTBOX_BATCH_SIZE", "40",
            "NOTIFICATION_OUTBOX_INITIAL_DELAY", "500");

    /** Of a user that exists for this run only. */
    private static final String PASSWORD = "only-on-loopback";

    private final ExampleRun run;
    private final MariaDbServer mariaDb;
    private final RabbitServer rabbit;
    private final String database;
    private final String listenerDatabase;
    private final Sql bookings;
    private final Sql listeners;
    private final Observer observer;
    private final Path configuration;
    private final Clients clients;
    private final int port = FreePort.choose();

    Day(ExampleRun run) throws Exception {
        this.run = run;
        if (!MariaDbServer.isInstalled() || !RabbitServer.isInstalled()) {
            throw new IllegalStateException("This example needs Debian's mariadb-server and rabbitmq-server;"
                    + " ./install-servers installs them for root, without starting a service.");
        }
        run.say("starting MariaDB and RabbitMQ …");
        mariaDb = run.closing(MariaDbServer.start());
        rabbit = run.closing(RabbitServer.start());
        database = mariaDb.createDatabase("bookings");
        listenerDatabase = mariaDb.createDatabase("listeners");
        bookings = new Sql(mariaDb.dataSource(database));
        listeners = new Sql(mariaDb.dataSource(listenerDatabase));
        bookings.execute("create user notifications identified by '" + PASSWORD + "'");
        bookings.execute("grant all on " + database + ".* to notifications");
        observer = new Observer(rabbit);
        configuration = run.file("notifications.yaml");
        clients = new Clients(run, port);
    }

    void play() throws Exception {
        run.say("bookings: " + mariaDb.jdbcUrl(database) + ", listeners: " + mariaDb.jdbcUrl(listenerDatabase)
                + ", rabbitmq: port " + rabbit.port());
        String settings = run.execute(waybill("config", "config", configuration.toString()));
        run.execute(waybill("init", "init", "--config", configuration.toString()));
        List<Child> children = startProcesses();
        rabbit.syncDeclarations();
        addRecipients();
        children.forEach(run.chaos()::victim);
        run.chaos()
                .victim(new Chaos.Victim("rabbitmq", rabbit::stopImmediately, rabbit::restart))
                .victim(new Chaos.Victim("mariadb", mariaDb::stopImmediately, mariaDb::restart));
        int goal = run.options().events();
        run.picture()
                .progress("events", clients::sent, goal)
                .number("PENDING", () -> rows("PENDING"))
                .progress("PROCESSED", () -> rows("PROCESSED"), goal)
                .number("FAILED", () -> rows("FAILED"))
                .number("notifications", this::notifications);
        while (clients.sent() < goal) {
            clients.sendOne();
            run.chaos().progress(clients.sent());
        }
        run.chaos().finish();
        long expected =
                clients.notifications().values().stream().mapToLong(List::size).sum();
        run.until(
                "every event is processed, and every recipient is notified",
                () -> rows("PENDING") == 0 && notifications() >= expected);
        balance(settings);
    }

    private List<Child> startProcesses() throws Exception {
        List<Child> children = List.of(
                run.launch(Program.java("bookings", BookingService.class)
                        .environment(Map.of("DB_URL", mariaDb.jdbcUrl(database), "PORT", Integer.toString(port)))
                        .readyWhen("bookings: ready")),
                run.launch(waybill("publisher-1", "run", configuration.toString())
                        .readyWhen("says whether they make progress")),
                run.launch(waybill("publisher-2", "run", configuration.toString())
                        .readyWhen("says whether they make progress")),
                run.launch(listener("listeners-1", KINDS.get(0), KINDS.get(1))),
                run.launch(listener("listeners-2", KINDS.get(2), KINDS.get(3))));
        children.forEach(Child::awaitReady);
        return children;
    }

    private Program listener(String name, String... kinds) {
        return Program.java(name, Listeners.class, kinds)
                .environment(rabbitProperties())
                .environment(Map.of("DB_URL", mariaDb.jdbcUrl(listenerDatabase)))
                .readyWhen("listeners: ready");
    }

    private Map<String, String> rabbitProperties() {
        return Map.of(
                "SPRING_RABBITMQ_HOST", "127.0.0.1",
                "SPRING_RABBITMQ_PORT", Integer.toString(rabbit.port()),
                "SPRING_RABBITMQ_PASSWORD", "guest");
    }

    private Program waybill(String name, String... arguments) {
        return Program.java(name, WaybillCommand.class, arguments)
                .environment(rabbitProperties())
                .environment(PROPERTIES)
                .environment(Map.of(
                        "PORT",
                        "0",
                        "DB_HOST",
                        "127.0.0.1",
                        "DB_PORT",
                        Integer.toString(mariaDb.port()),
                        "DB_NAME",
                        database,
                        "DB_USER",
                        "notifications",
                        "DB_PASSWORD",
                        PASSWORD));
    }

    private void addRecipients() throws SQLException {
        for (String kind : KINDS) {
            for (long subject = 0; subject < Clients.SUBJECTS; subject++) {
                for (Clients.Recipient recipient : Clients.recipients(subject)) {
                    listeners.execute("insert into recipients values ('%s', %d, %d, '%s')"
                            .formatted(kind.toUpperCase(Locale.ROOT), subject, recipient.user(), recipient.channel()));
                }
            }
        }
    }

    private void balance(String settings) throws Exception {
        int sent = clients.sent();
        Balance balance = run.balance();
        balance.equal(
                "N8 properties of the document in the relay's settings",
                "40 rows, 250ms, 500ms",
                setting(settings, "batch") + " rows, " + setting(settings, "interval") + ", "
                        + setting(settings, "initial-delay"));
        balance.same(
                "records of the business",
                clients.records(),
                bookings.texts("select concat_ws(' ', id, kind, subject_id, people) from records"));
        balance.equal(
                "N1 events of the " + clients.refused() + " requests that were rolled back",
                0,
                bookings.number("select count(*) from EventOutbox where event_id like 'evt-refused%'"));
        balance.equal(
                "N5 rows PROCESSED, with published_at",
                sent,
                bookings.number(
                        "select count(*) from EventOutbox where status = 'PROCESSED' and published_at is not null"));
        balance.equal("N2 events recorded as SUCCESS in ProcessedEvent", sent, recorded());
        balance.equal("N3 rows FAILED: aggregate type COURIER has no queue", clients.notRouted(), rows("FAILED"));
        messages(balance);
        for (String kind : KINDS) {
            balance.same(
                    "N9 notifications of the listener of notification." + kind,
                    clients.notifications().getOrDefault(kind, List.of()),
                    listeners.texts("select concat_ws(' ', event_id, event_type, user_id, channel) from " + kind
                            + "_notification"));
        }
        balance.equal("N9 tables that refuse a second notification", KINDS.size(), refusingTables());
        run.chaos().report(balance);
        run.say("from commit to RabbitMQ: mean "
                + bookings.number("select round(avg(timestampdiff(microsecond, created_at, published_at)) / 1000)"
                        + " from EventOutbox where status = 'PROCESSED'")
                + " ms, with a poll every 250 ms");
    }

    /** What {@code waybill config} prints for a key. */
    private static String setting(String settings, String key) {
        return settings.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(key + ":"))
                .map(line ->
                        line.substring(key.length() + 1).replaceAll("#.*", "").strip())
                .findFirst()
                .orElse("none");
    }

    private void messages(Balance balance) throws Exception {
        Observer.Seen seen = observer.everything();
        Set<String> rows = new HashSet<>(bookings.texts("select event_id from EventOutbox where status = 'PROCESSED'"));
        balance.same("N6 events on the exchange, with what was requested", clients.messages(), seen.events());
        rows.removeAll(seen.ids());
        balance.equal("N6 rows PROCESSED that were never published", 0, rows.size());
        balance.equal("N4 messages without exactly five fields and their key", 0, seen.malformed());
        balance.equal("N1 messages out of the order of their aggregate", 0, seen.inversions());
        if (run.chaos().isWanted()) {
            run.say(seen.repeated() + " messages were sent again after a kill, and had no second effect");
        } else {
            balance.equal("N6 messages sent twice by the two publishers", 0, seen.repeated());
        }
    }

    private long recorded() throws SQLException {
        return bookings.number("select count(*) from ProcessedEvent p join EventOutbox e using (event_id)"
                + " where p.status = 'SUCCESS' and e.status = 'PROCESSED'");
    }

    /** Each listener's table has a constraint of its own against a second notification. */
    private int refusingTables() throws SQLException {
        int refused = 0;
        for (String kind : KINDS) {
            String insert = "insert into " + kind
                    + "_notification (event_id, event_type, user_id, channel) values ('evt-twice', 'TWICE', 1, 'EMAIL')";
            listeners.execute(insert);
            try {
                listeners.execute(insert);
            } catch (SQLIntegrityConstraintViolationException e) {
                refused++;
            }
            listeners.execute("delete from " + kind + "_notification where event_id = 'evt-twice'");
        }
        return refused;
    }

    private long rows(String status) throws SQLException {
        return bookings.number("select count(*) from EventOutbox where status = '" + status + "'");
    }

    private long notifications() throws SQLException {
        long all = 0;
        for (String kind : KINDS) {
            all += listeners.number("select count(*) from " + kind + "_notification");
        }
        return all;
    }
}
