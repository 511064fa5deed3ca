package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A retry is due by the database's clock, whatever the clocks of the processes say that write and read it. */
class RetryTimesTest extends JournalFixture {

    @ParameterizedTest
    @CsvSource({"30, 0", "0, -30", "-30, 30", "30, -30"})
    void a_retry_is_due_after_its_wait_in_processes_whose_clocks_are_wrong(int minutesOfWriter, int minutesOfReader)
            throws SQLException {
        InstantSource clock = wrongBy(minutesOfWriter);
        append("a1");
        try (RelaySession writer = open(withOwnClock(clock))) {
            writer.settle(
                    writer.claim(PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock.instant().plusMillis(1), "not now")));
        }
        assertThat(database.number("""
                select count(*) from waybill.parked
                 where next_attempt_at between clock_timestamp() - interval '1 min' and clock_timestamp() + interval '1 min'""")).isOne();

        RelaySession reader = open(withOwnClock(wrongBy(minutesOfReader)));
        Await.until("a1 is due", () -> drain(reader).contains("a1"));
    }

    @ParameterizedTest
    @CsvSource({"-30, 0", "0, 30", "-30, 30"})
    void a_retry_is_not_due_before_its_wait(int minutesOfWriter, int minutesOfReader) throws SQLException {
        InstantSource clock = wrongBy(minutesOfWriter);
        append("a1");
        try (RelaySession writer = open(withOwnClock(clock))) {
            writer.settle(
                    writer.claim(PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock.instant().plus(Duration.ofMinutes(20)), "not now")));
        }

        RelaySession reader = open(withOwnClock(wrongBy(minutesOfReader)));
        assertThat(drain(reader)).isEmpty();
        assertThat(drain(reader)).isEmpty();
    }

    private static InstantSource wrongBy(int minutes) {
        return () -> Instant.now().plus(Duration.ofMinutes(minutes));
    }

    private PostgresJournal withOwnClock(InstantSource clock) {
        return PostgresJournal.on(
                database.dataSource(), JournalOptions.defaults().ownClock(clock));
    }
}
