package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.testkit.RowsRead;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The cost of a claim of a replay is at most proportional to the rows of a key that wait behind its first one. */
class ReplayCostTest {
    private static final RelayName AGAIN = new RelayName("again");
    private static final Actor ANNA = new Actor("anna", "it is wrong");

    private static final int ROWS = Boolean.getBoolean("waybill.full") ? 20_000 : 4_000;
    /** More than one transaction opens. */
    private static final int KEYS = 1_500;

    /** Most rows and index entries read for each row that waits. */
    private static final int EACH = 12;

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_key_with_many_rows_goes_on_after_its_first_one_was_discarded(TableDialect dialect) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            fixture.append("a");
            fixture.multiply(ROWS);
            fixture.store().replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
            String first = parkAllBehindTheFirst(fixture);
            RowsRead reads = new RowsRead(fixture.database);
            try (RelaySession replay = open(fixture, reads.dataSource())) {
                assertThat(replay.claim(TableFixture.PLENTY)).isEmpty();
                requireFew(reads, "a claim while the first row waits");

                assertThat(fixture.store().admin().discard(AGAIN, Selection.of(first), ANNA))
                        .isEqualTo(1);
                assertThat(replay.claim(TableFixture.PLENTY)).isEmpty();
                requireFew(reads, "a claim that makes the next row due");
                Batch next = replay.claim(TableFixture.PLENTY).orElseThrow();
                assertThat(next.events()).hasSize(1);
                requireFew(reads, "a claim of the next row");
                TableFixture.publish(replay, next);
                requireFew(reads, "its settlement");
                assertThat(replay.claim(TableFixture.PLENTY).orElseThrow().events())
                        .hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void many_keys_go_on_after_their_first_rows_were_discarded(TableDialect dialect) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            List<String> keys =
                    IntStream.range(0, KEYS).mapToObj(key -> "k" + key).toList();
            fixture.append(keys);
            fixture.append(keys);
            fixture.store().replays().start(AGAIN, ReplayQuery.EVERYTHING, ANNA);
            try (RelaySession replay = open(fixture, fixture.database.dataSource())) {
                Set<String> seen = new HashSet<>();
                for (Optional<Batch> batch = replay.claim(TableFixture.PLENTY);
                        batch.isPresent();
                        batch = replay.claim(TableFixture.PLENTY)) {
                    replay.settle(
                            batch.get(),
                            batch.get().events().stream()
                                    .<Settlement>map(
                                            event -> seen.add(event.orderKey().toString())
                                                    ? fixture.retryIn(Duration.ofDays(1))
                                                    : Settlement.BEHIND)
                                    .toList());
                }
                assertThat(fixture.store().admin().discard(AGAIN, Selection.all(ParkedState.DUE), ANNA))
                        .isEqualTo(KEYS);

                int came = 0;
                for (int claim = 0; claim < 2 * KEYS && came < KEYS; claim++) {
                    Optional<Batch> batch = replay.claim(TableFixture.PLENTY);
                    if (batch.isPresent()) {
                        came += batch.get().events().size();
                        TableFixture.publish(replay, batch.get());
                    }
                }
                assertThat(came).isEqualTo(KEYS);
            }
        }
    }

    /** @return the id of the first row, which waits for a retry */
    private static String parkAllBehindTheFirst(TableFixture fixture) throws SQLException {
        try (RelaySession replay = open(fixture, fixture.database.dataSource())) {
            Batch batch = replay.claim(TableFixture.PLENTY).orElseThrow();
            List<Settlement> settlements =
                    new ArrayList<>(Collections.nCopies(batch.events().size(), Settlement.BEHIND));
            settlements.set(0, fixture.retryIn(Duration.ofDays(1)));
            replay.settle(batch, settlements);
            for (Optional<Batch> empty = replay.claim(TableFixture.PLENTY);
                    empty.isPresent();
                    empty = replay.claim(TableFixture.PLENTY)) {
                assertThat(empty.get().events()).isEmpty();
                replay.settle(empty.get(), List.of());
            }
            assertThat(fixture.store()
                            .replays()
                            .replay(AGAIN)
                            .orElseThrow()
                            .counts()
                            .parked())
                    .isEqualTo(ROWS);
            return TableFixture.ids(batch).get(0);
        }
    }

    private static RelaySession open(TableFixture fixture, DataSource dataSource) {
        return fixture.store(dataSource)
                .replays()
                .store()
                .open(AGAIN, new OwnerId("one"), TableFixture.LEASE)
                .orElseThrow();
    }

    private static void requireFew(RowsRead reads, String what) {
        long rows = reads.take();
        assertThat(rows)
                .as("%s: rows read, most by %s", what, reads.costliest())
                .isPositive()
                .isLessThanOrEqualTo((long) EACH * ROWS);
    }
}
