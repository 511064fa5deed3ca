package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** 5,000 dead rows of one key and 5,000 of others are requeued at once, and the first of every key fails once. */
@Tag("full")
class RequeueManyTest {
    private static final int EACH = 5_000;
    private static final int OTHER_KEYS = 500;

    private final List<String> published = new ArrayList<>();
    private final Set<Utf8> failedOnce = new HashSet<>();

    static Stream<Arguments> everywhere() {
        return TablesContractTest.presets();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void requeued_rows_of_any_number_are_all_published_in_order(TableDialect dialect, String preset)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            List<Event> events = append(fixture);
            RelaySession session = fixture.open("one");
            settleAll(session, new Settlement.Dead("never", true, false));
            int requeued = fixture.store()
                    .admin()
                    .requeue(TableFixture.RELAY, Selection.all(ParkedState.DEAD), new Actor("anna", "mended"));
            assertThat(requeued).isEqualTo(2 * EACH);

            long began = System.nanoTime();
            int claims = drain(fixture, session);
            fixture.clock.advance(Duration.ofMinutes(2));
            claims += drain(fixture, session);
            System.out.printf(
                    "%s, %s: %d requeued rows published in %d claims, %.1f ms each%n",
                    dialect, preset, requeued, claims, (System.nanoTime() - began) / 1e6 / claims);

            assertThat(published).hasSize(2 * EACH).doesNotHaveDuplicates();
            assertThat(byKey(published, events))
                    .isEqualTo(byKey(events.stream().map(Event::id).toList(), events));
            assertThat(fixture.store().admin().relays().get(0).parked()).isZero();
        }
    }

    private static List<Event> append(TableFixture fixture) throws SQLException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            events.add(fixture.event("one"));
        }
        for (int i = 0; i < EACH; i++) {
            events.add(fixture.event("k" + i % OTHER_KEYS));
        }
        try (Connection connection = fixture.database.begin()) {
            JdbcOutbox.table(fixture.layout).append(connection, events);
            connection.commit();
        }
        return events;
    }

    private static void settleAll(RelaySession session, Settlement settlement) {
        for (Optional<Batch> batch = session.claim(TableFixture.PLENTY);
                batch.isPresent();
                batch = session.claim(TableFixture.PLENTY)) {
            session.settle(batch.get(), Collections.nCopies(batch.get().events().size(), settlement));
        }
    }

    /** Like a relay: rows after a failed one of their key go behind it. */
    private int drain(TableFixture fixture, RelaySession session) {
        int claims = 1;
        for (Optional<Batch> batch = session.claim(TableFixture.PLENTY);
                batch.isPresent();
                batch = session.claim(TableFixture.PLENTY)) {
            claims++;
            Set<Utf8> closed = new HashSet<>();
            List<Settlement> settlements = new ArrayList<>();
            for (StoredEvent event : batch.get().events()) {
                if (closed.contains(event.orderKey())) {
                    settlements.add(Settlement.BEHIND);
                } else if (failedOnce.add(event.orderKey())) {
                    closed.add(event.orderKey());
                    settlements.add(fixture.retryIn(Duration.ofMinutes(1)));
                } else {
                    published.add(event.id().toString());
                    settlements.add(Settlement.PUBLISHED);
                }
            }
            session.settle(batch.get(), settlements);
        }
        return claims;
    }

    private static Map<String, List<String>> byKey(List<String> ids, List<Event> events) {
        Map<String, String> keys = new HashMap<>();
        events.forEach(event -> keys.put(event.id(), event.orderKey()));
        Map<String, List<String>> byKey = new HashMap<>();
        ids.forEach(id ->
                byKey.computeIfAbsent(keys.get(id), key -> new ArrayList<>()).add(id));
        return byKey;
    }
}
