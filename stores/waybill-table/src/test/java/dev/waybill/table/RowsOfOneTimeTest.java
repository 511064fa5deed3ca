package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A transaction whose rows have the time of its start appends thousands of rows of one time; listings contain all of them.
 */
class RowsOfOneTimeTest {
    private static final int ROWS = 2_100;
    private static final Actor ANNA = new Actor("anna", "mended");

    /** A layout with a state for dead rows, and one without. */
    static Stream<Arguments> both() {
        return TablesContractTest.oneLayoutOfEachDatabase(List.of("orders", "polyshop"));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("both")
    void all_dead_rows_are_listed_and_requeued(TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            fixture.append("a");
            fixture.multiply(ROWS);
            RelaySession session = fixture.open("one");
            for (Optional<Batch> batch = session.claim(TableFixture.PLENTY);
                    batch.isPresent();
                    batch = session.claim(TableFixture.PLENTY)) {
                Settlement dead = new Settlement.Dead("no", true, false);
                session.settle(
                        batch.get(), Collections.nCopies(batch.get().events().size(), dead));
            }

            StoreAdmin admin = fixture.store().admin();
            assertThat(listed(admin, ParkedState.DEAD)).hasSize(ROWS);
            assertThat(admin.requeue(TableFixture.RELAY, Selection.all(ParkedState.DEAD), ANNA))
                    .isEqualTo(ROWS);
            assertThat(listed(admin, ParkedState.DUE)).hasSize(ROWS);
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("both")
    void all_rows_behind_a_waiting_one_are_listed_and_discarded(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            fixture.append("a");
            fixture.multiply(ROWS);
            RelaySession session = fixture.open("one");
            Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();
            session.settle(
                    batch,
                    IntStream.range(0, batch.events().size())
                            .<Settlement>mapToObj(i -> i == 0 ? fixture.retryIn(Duration.ofDays(1)) : Settlement.BEHIND)
                            .toList());

            StoreAdmin admin = fixture.store().admin();
            assertThat(listed(admin, ParkedState.WAITING)).hasSize(ROWS - 1);
            assertThat(listed(admin, ParkedQuery.of(TableFixture.RELAY).atMost(1_000)))
                    .hasSize(ROWS);
            assertThat(admin.discard(TableFixture.RELAY, Selection.all(ParkedState.WAITING), ANNA))
                    .isEqualTo(ROWS - 1);
        }
    }

    private static Set<String> listed(StoreAdmin admin, ParkedState state) {
        return listed(admin, ParkedQuery.of(TableFixture.RELAY).in(state).atMost(1_000));
    }

    /** Lists all pages; each row must be listed once. */
    private static Set<String> listed(StoreAdmin admin, ParkedQuery first) {
        List<String> ids = new ArrayList<>();
        ParkedQuery query = first;
        for (List<ParkedEvent> page = admin.parked(query);
                !page.isEmpty() && ids.size() <= ROWS;
                page = admin.parked(query)) {
            page.forEach(event -> ids.add(event.eventId()));
            query = query.after(page.get(page.size() - 1).cursor());
        }
        assertThat(ids).doesNotHaveDuplicates();
        return new HashSet<>(ids);
    }
}
