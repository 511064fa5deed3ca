package dev.waybill.example.notifications.driver;

import dev.waybill.example.kit.Example;

/** {@code ./waybill example notifications}. */
public final class NotificationsExample {
    private NotificationsExample() {}

    static Example example() {
        return new Example(
                "notifications",
                "Services write events for restaurants, customers, agencies and admins to MariaDB; two publishers send them to"
                        + " four queues of RabbitMQ; four listeners make notifications of them, each once.",
                1_000,
                run -> new Day(run).play());
    }

    public static void main(String[] arguments) {
        System.exit(example().run(arguments).exitCode());
    }
}
