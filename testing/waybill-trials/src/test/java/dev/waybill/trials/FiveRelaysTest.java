package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.RelayStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code waybill run} on one file with five relays, four databases on two servers, and three brokers. */
class FiveRelaysTest {
    private static final Duration AWAY = Duration.ofSeconds(10);
    private static final Pattern READY = Pattern.compile("http://[^/]+/ready");

    private static FiveServers servers;

    @BeforeAll
    static void start() {
        servers = FiveServers.start();
    }

    @AfterAll
    static void stop() {
        if (servers != null) {
            servers.close();
        }
    }

    @Tag("full")
    @Test
    void a_database_and_a_broker_that_are_away_stop_nobody_else_and_nothing_is_lost() throws Exception {
        try (FiveRelays five = new FiveRelays("five-away", servers)) {
            RelayChild process = five.start("one");
            five.appendEverywhere();
            five.awaitEverything();

            five.say("the database of polyshop and RabbitMQ go away");
            servers.without(() -> {
                long end = System.nanoTime() + AWAY.toNanos();
                int rounds = 0;
                do {
                    five.append(FiveRelays.SHOP, FiveRelays.NOTIFICATIONS, FiveRelays.LICENSES);
                    five.awaitAll("shop-to-kafka", "licenses-to-pubsub");
                    rounds++;
                } while (System.nanoTime() - end < 0);
                five.say(rounds + " times more was appended meanwhile and came by the others");
                assertThat(statusOfReady(process)).isEqualTo(200);
            });
            five.say("they are back");
            five.appendEverywhere();
            five.awaitEverything();

            five.assertInOrder();
            process.terminate();
            assertThat(process.endsWithin(Duration.ofSeconds(60))).isTrue();
            assertThat(process.linesWith("Stopped; all leases are released.")).hasSize(1);
            assertThat(five.leases()).isEmpty();
            assertLog(process);
        }
    }

    @Tag("full")
    @Test
    void two_processes_share_the_relays_and_one_takes_over_what_the_other_had_when_it_is_killed() throws Exception {
        try (FiveRelays five = new FiveRelays("five-killed", servers)) {
            List<RelayChild> processes = List.of(five.start("one"), five.start("two"));
            five.appendEverywhere();
            five.awaitEverything();
            Map<String, RelayStatus.Lease> before = five.awaitAllLeases();
            assertThat(before.values())
                    .hasSize(5)
                    .allMatch(lease -> processes.stream()
                                    .filter(process -> process.owns(lease.owner()))
                                    .count()
                            == 1);

            RelayChild killed = processes.stream()
                    .filter(process -> process.owns(before.get("shop-to-kafka").owner()))
                    .findFirst()
                    .orElseThrow();
            RelayChild left = processes.get(1 - processes.indexOf(killed));
            List<String> orphans = before.entrySet().stream()
                    .filter(lease -> killed.owns(lease.getValue().owner()))
                    .map(Map.Entry::getKey)
                    .toList();
            killed.kill();
            long killedAt = System.nanoTime();
            five.say(killed.name() + " is killed, which ran " + orphans);
            five.appendEverywhere();
            five.awaitEverything();
            five.say("all five publish again "
                    + Duration.ofNanos(System.nanoTime() - killedAt).toMillis() + " ms after it (10,000 is the aim)");

            assertThat(five.leases().values()).hasSize(5).allMatch(lease -> left.owns(lease.owner()));
            five.assertInOrder();
            assertLog(left);
        }
    }

    private static int statusOfReady(RelayChild process) throws Exception {
        Matcher ready = READY.matcher(process.linesWith("5 relays run").get(0));
        assertThat(ready.find()).isTrue();
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(ready.group())).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static void assertLog(RelayChild process) {
        assertThat(process.linesWith("\"relay\":\"shop-to-kafka\"")).isNotEmpty();
        assertThat(process.linesWith("")).allMatch(line -> line.startsWith("{\"time\":"));
        assertThat(process.linesWith(FiveRelays.SECRET)).isEmpty();
        assertThat(process.linesWith("a defect")).isEmpty();
    }
}
