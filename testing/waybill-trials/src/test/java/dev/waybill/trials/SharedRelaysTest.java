package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three {@code waybill run} processes with one file share its relays: at the start, after one is killed, and when it is back. */
@Tag("full")
class SharedRelaysTest {
    @Test
    void three_processes_share_twelve_relays_of_three_databases() throws Exception {
        share("shared-12", 12, 3);
    }

    @Test
    void three_processes_share_forty_relays_of_eight_databases() throws Exception {
        share("shared-40", 40, 8);
    }

    private static void share(String run, int relays, int databases) throws Exception {
        try (SharedRelays shared = new SharedRelays(run, relays, databases)) {
            List<RelayChild> processes = new ArrayList<>();
            for (String name : List.of("one", "two", "three")) {
                processes.add(shared.start(name));
            }
            for (RelayChild process : processes) {
                process.awaitWords(relays + " relays run");
            }
            long began = System.nanoTime();
            shared.awaitEven(processes);
            say(shared, "shared evenly after the start: " + shared.shares(processes), began, 30_000);
            shared.awaitPublishing();
            assertThat(shared.status()).anyMatch(line -> line.startsWith("Shared by: pid "));
            for (RelayChild process : processes) {
                shared.say(process.name() + " uses " + resources(process));
            }

            RelayChild killed = processes.remove(1);
            killed.kill();
            began = System.nanoTime();
            shared.awaitPublishing();
            say(shared, "all relays publish after one was killed", began, 10_000);
            shared.awaitEven(processes);
            say(shared, "shared evenly after one was killed: " + shared.shares(processes), began, 30_000);

            RelayChild back = shared.start("back");
            processes.add(back);
            back.awaitWords(relays + " relays run");
            began = System.nanoTime();
            shared.awaitEven(processes);
            say(shared, "shared evenly after one came back: " + shared.shares(processes), began, 30_000);

            awaitNothingMoves(shared);
            shared.assertAllInOrder();
            assertThat(processes)
                    .allMatch(process -> process.linesWith("a defect").isEmpty());
        }
    }

    /**
     * The last moves may still be under way, and on a starved machine a lease may be lost: in the end, every relay stays where it
     * is for longer than a lease.
     */
    private static void awaitNothingMoves(SharedRelays shared) throws Exception {
        Await.until("no relay moves for 8 s", () -> {
            Map<String, SharedRelays.Held> before = shared.leases();
            Await.watch(Duration.ofSeconds(8));
            return shared.leases().equals(before);
        });
    }

    private static void say(SharedRelays shared, String what, long since, int aim) {
        long millis = Duration.ofNanos(System.nanoTime() - since).toMillis();
        shared.say("%s, %,d ms (%,d is the aim)".formatted(what, millis, aim));
    }

    private static String resources(RelayChild process) throws Exception {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return "unknown";
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS") || line.startsWith("Threads"))
                    .map(line -> line.replaceAll("\\s+", " "))
                    .toList()
                    .toString();
        }
    }
}
