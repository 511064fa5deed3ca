package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** More dead rows of one time than a step of the sweep holds are set back to pending with SQL. */
class SetBackByHandTest {
    private static final int ROWS = 2_500;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.everywhere()
                .filter(place -> List.of("orders", "pubsub", "waybill").contains(place.get()[1]));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void rows_of_one_time_that_were_set_back_by_hand_are_all_published(TableDialect dialect, String preset)
            throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            world.append("a");
            world.multiply(ROWS);
            RelaySession session = world.open("one");
            Settlement dead = new Settlement.Dead("never", true, false);
            for (var batch = session.claim(TableWorld.PLENTY);
                    batch.isPresent();
                    batch = session.claim(TableWorld.PLENTY)) {
                session.settle(
                        batch.get(),
                        java.util.Collections.nCopies(batch.get().events().size(), dead));
            }
            assertThat(world.store().admin().relays().get(0).dead()).isEqualTo(ROWS);
            world.execute(
                    world.layout.state() instanceof TableState.Words words
                            ? "update {table} set {state} = '" + words.pending() + "'"
                            : "update {table} set {attempts} = 0");
            world.passNanos(Duration.ofSeconds(61));
            int published = 0;
            for (int i = 0; i < 20 && published < ROWS; i++) {
                published += TableWorld.drain(session).size();
            }
            assertThat(published).isEqualTo(ROWS);
            assertThat(world.store().admin().relays().get(0).dead()).isZero();
        }
    }
}
