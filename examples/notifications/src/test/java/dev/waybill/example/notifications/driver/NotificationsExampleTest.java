package dev.waybill.example.notifications.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.example.kit.Balance;
import dev.waybill.example.kit.Example;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plays the day of the notification system with its processes, on real servers, and reads its closing balance. */
class NotificationsExampleTest {
    private static final String SEED = System.getProperty("waybill.baseSeed", "1");

    @BeforeAll
    static void needsServers() {
        assumeThat(MariaDbServer.isInstalled()).as("MariaDB is not installed").isTrue();
        assumeThat(RabbitServer.isInstalled()).as("RabbitMQ is not installed").isTrue();
    }

    @Test
    void two_publishers_send_each_event_once_to_its_queue_and_each_listener_notifies_once() {
        play("--events", "60", "--exit", "--seed", SEED);
    }

    @Test
    @Tag("full")
    void every_recipient_is_notified_once_although_each_process_the_broker_and_the_database_are_killed() {
        play("--events", "1000", "--chaos", "--exit", "--seed", SEED);
    }

    private static void play(String... options) {
        Example.Outcome outcome = NotificationsExample.example().run(options);

        assertThat(outcome.rows())
                .hasSizeGreaterThan(14)
                .allMatch(Balance.Row::ok)
                .extracting(Balance.Row::what)
                .anyMatch(what -> what.startsWith("N2 events recorded as SUCCESS"))
                .anyMatch(what -> what.startsWith("N4 messages without exactly five fields"))
                .anyMatch(what -> what.startsWith("N8 properties of the document"))
                .anyMatch(what -> what.startsWith("N9 notifications of the listener of notification.admin"))
                .anyMatch(what -> what.startsWith("N9 tables that refuse a second notification"));
        assertThat(outcome.exitCode()).isZero();
    }
}
