package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.Await;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A retry is due by the database's clock, whatever the clocks of the processes say that write and read it. */
class RetryTimesTest {
    private TableFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    static Stream<Arguments> wrongClocks() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of(TableOptions.Claiming.values())
                        .flatMap(claiming -> Stream.of(
                                Arguments.of(dialect, claiming, 30, 0),
                                Arguments.of(dialect, claiming, 0, -30),
                                Arguments.of(dialect, claiming, 30, -30))));
    }

    @ParameterizedTest
    @MethodSource("wrongClocks")
    void a_retry_is_due_after_its_wait_in_processes_whose_clocks_are_wrong(
            TableDialect dialect, TableOptions.Claiming claiming, int minutesOfWriter, int minutesOfReader)
            throws SQLException {
        fixture = new TableFixture(dialect, TableLayout.notifications());
        InstantSource clock = wrongBy(minutesOfWriter);
        fixture.with(options -> options.claiming(claiming).ownClock(clock));
        String id = fixture.append("a");
        try (RelaySession writer = fixture.open("writer")) {
            writer.settle(
                    writer.claim(TableFixture.PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock.instant().plusMillis(1), "not now")));
        }

        fixture.with(options -> options.ownClock(wrongBy(minutesOfReader)));
        RelaySession reader = fixture.open("reader");
        Await.until("the row is due", () -> TableFixture.drain(reader).contains(id));
    }

    @ParameterizedTest
    @MethodSource("wrongClocks")
    void a_retry_is_not_due_before_its_wait(
            TableDialect dialect, TableOptions.Claiming claiming, int minutesOfWriter, int minutesOfReader)
            throws SQLException {
        fixture = new TableFixture(dialect, TableLayout.notifications());
        InstantSource clock = wrongBy(-minutesOfWriter);
        fixture.with(options -> options.claiming(claiming).ownClock(clock));
        fixture.append("a");
        try (RelaySession writer = fixture.open("writer")) {
            writer.settle(
                    writer.claim(TableFixture.PLENTY).orElseThrow(),
                    List.of(new Settlement.RetryAt(clock.instant().plus(Duration.ofMinutes(20)), "not now")));
        }

        fixture.with(options -> options.ownClock(wrongBy(-minutesOfReader)));
        RelaySession reader = fixture.open("reader");
        assertThat(TableFixture.drain(reader)).isEmpty();
        assertThat(TableFixture.drain(reader)).isEmpty();
    }

    private static InstantSource wrongBy(int minutes) {
        return () -> Instant.now().plus(Duration.ofMinutes(minutes));
    }
}
