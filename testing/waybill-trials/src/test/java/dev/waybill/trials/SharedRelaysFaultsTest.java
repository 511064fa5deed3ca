package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes share relays, and something is wrong: with a process, its network, or the register of processes. */
@Tag("full")
class SharedRelaysFaultsTest {
    private static final int RELAYS = 12;
    private static final int DATABASES = 3;

    private static final String OLD_PROCESSES = """
            insert into waybill.process (id, beat, held, relays, until)
            select 'old ' || i, 1, 3, array['relay-00', 'relay-03'], clock_timestamp() - interval '1 minute'
              from generate_series(1, 10000) i""";

    @Test
    void a_process_that_does_not_reach_kafka_gives_its_relays_back() throws Exception {
        try (SharedRelays shared = new SharedRelays("shared-cut-off", RELAYS, DATABASES)) {
            List<RelayChild> processes = start(shared, "one", "two");
            shared.awaitEven(processes);

            RelayChild cutOff = shared.startWithoutKafka("cut-off");
            Await.until("it gets relays", () -> held(shared, cutOff) >= 3);
            long began = System.nanoTime();
            Await.until("it has given them back", () -> held(shared, cutOff) == 0);
            shared.awaitPublishing();
            say(shared, "a process without Kafka has given its relays back", began);
            shared.assertAllInOrder();
        }
    }

    @Test
    void a_process_that_reaches_one_of_two_destinations_runs_relays_of_that_one() throws Exception {
        try (SharedRelays shared = new SharedRelays("shared-half-cut-off", RELAYS, DATABASES)) {
            List<RelayChild> processes = start(shared, "one", "two");
            shared.awaitEven(processes);

            RelayChild cutOff = shared.startWithoutOther("cut-off");
            Await.until("it gets relays of the other destination", () -> heldOfOther(shared, cutOff) > 0);
            long began = System.nanoTime();
            Await.until("it has given them back", () -> heldOfOther(shared, cutOff) == 0 && held(shared, cutOff) >= 3);
            shared.awaitPublishing();
            say(shared, "a process without one of two destinations runs relays of the other", began);
            shared.assertAllInOrder();
        }
    }

    @Test
    void relays_publish_although_a_process_is_suspended_and_registers_are_missing_locked_or_full() throws Exception {
        try (SharedRelays shared = new SharedRelays("shared-faults", RELAYS, DATABASES);
                Connection missing = shared.connect(0);
                Connection locked = shared.connect(1);
                Connection full = shared.connect(2)) {
            List<RelayChild> processes = start(shared, "one", "two", "three");
            shared.awaitEven(processes);
            shared.awaitPublishing();

            RelayChild suspended = processes.get(0);
            suspended.freeze();
            long began = System.nanoTime();
            shared.awaitPublishing();
            say(shared, "all relays publish after one process was suspended", began);
            suspended.thaw();
            shared.awaitEven(processes);

            execute(full, OLD_PROCESSES);
            execute(missing, "drop table waybill.process");
            locked.setAutoCommit(false);
            execute(locked, "lock table waybill.process in access exclusive mode");
            processes.remove(0).kill();
            began = System.nanoTime();
            shared.awaitPublishing();
            say(shared, "all relays publish after one process was killed, without registers", began);
            locked.rollback();
            shared.assertAllInOrder();
            assertThat(processes)
                    .allMatch(process -> process.linesWith("a defect").isEmpty());
        }
    }

    private static List<RelayChild> start(SharedRelays shared, String... names) throws Exception {
        List<RelayChild> processes = new ArrayList<>();
        for (String name : names) {
            processes.add(shared.start(name));
        }
        for (RelayChild process : processes) {
            process.awaitWords(RELAYS + " relays run");
        }
        return processes;
    }

    private static long held(SharedRelays shared, RelayChild process) throws SQLException {
        return shared.shares(List.of(process)).get(0);
    }

    private static long heldOfOther(SharedRelays shared, RelayChild process) throws SQLException {
        return shared.leases().entrySet().stream()
                .filter(held -> SharedRelays.isToOther(held.getKey())
                        && process.owns(held.getValue().owner()))
                .count();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void say(SharedRelays shared, String what, long since) {
        shared.say(
                what + ", after " + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }
}
