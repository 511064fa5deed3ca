package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.testkit.Await;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PostgreSQL stops immediately and restarts, or terminates sessions, under load; the relay recovers by itself. */
class PostgresAwayTest {
    private static final String END_ONE_SESSION = """
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = ? and pid <> pg_backend_pid() order by random() limit 1""";

    @Tag("full")
    @Test
    void a_crash_of_the_server_is_survived() throws Exception {
        crashAgainAndAgain(1);
    }

    @Test
    @Tag("full")
    void many_crashes_of_the_server_are_survived() throws Exception {
        crashAgainAndAgain(8);
    }

    private static void crashAgainAndAgain(int times) throws Exception {
        try (Trial trial = Trial.begin("postgres-away")) {
            RelaySettings settings = trial.relay("orders");
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            // Otherwise everything that the other trials wrote would be replayed after the crash.
            trial.database().execute("checkpoint");
            List<Duration> recoveries = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                trial.watch(Duration.ofMillis(300), Duration.ofSeconds(2));
                recoveries.add(crash(trial, pair));
            }
            trial.watch(Duration.ofMillis(300), Duration.ofSeconds(1));
            load.end();
            trial.awaitDrained(settings);
            judge(trial, settings, pair, load.log());

            trial.say(
                    "recoveries " + recoveries.stream().map(Duration::toMillis).toList() + " ms (10,000 is the aim)");
            assertThat(recoveries).isNotEmpty();
        }
    }

    private static Duration crash(Trial trial, RelayPair pair) throws Exception {
        long epoch = pair.lease().epoch();
        trial.say("PostgreSQL stops at once, in epoch " + epoch);
        TrialServers.withoutPostgres(() -> trial.watch(Duration.ZERO, Duration.ofSeconds(3)));
        trial.say("PostgreSQL is back");
        return pair.awaitTakeover(epoch, Instant.now());
    }

    @Tag("full")
    @Test
    void sessions_that_are_terminated_five_times_a_second_are_opened_again() throws Exception {
        try (Trial trial = Trial.begin("sessions-ended")) {
            RelaySettings settings = trial.relay("orders");
            RelayPair pair = RelayPair.start(trial, settings);
            Workload load = trial.startWriting(250);
            pair.awaitMessages();
            trial.say("sessions are terminated at random");
            for (int i = 0; i < 25; i++) {
                Await.watch(Duration.ofMillis(200));
                endOneSession(trial.database().name());
            }
            load.end();
            trial.awaitDrained(settings);
            judge(trial, settings, pair, load.log());
        }
    }

    private static void endOneSession(String database) throws SQLException {
        try (Connection connection =
                        TrialServers.postgres().dataSource("postgres").getConnection();
                PreparedStatement statement = connection.prepareStatement(END_ONE_SESSION)) {
            statement.setString(1, database);
            statement.execute();
        }
    }

    private static void judge(Trial trial, RelaySettings settings, RelayPair pair, WriterLog log) throws Exception {
        Trial.Outcome outcome = trial.judge(settings, log);

        assertThat(outcome.verdict().isGood()).as(outcome.toString()).isTrue();
        assertThat(outcome.verdict().duplicates()).isLessThanOrEqualTo(outcome.mostDuplicates());
        assertThat(outcome.epochs()).hasSizeGreaterThan(1);
        assertThat(trial.database().everParked(settings.relay())).isZero();
        assertThat(pair.running()).allMatch(RelayChild::isAlive);
    }
}
