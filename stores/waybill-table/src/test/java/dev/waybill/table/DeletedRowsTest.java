package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.Actor;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.ReplayQuery;
import dev.waybill.admin.Selection;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.spi.StoredEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables whose published rows are deleted, such as that of Debezium's outbox router. */
class DeletedRowsTest {
    private static final Actor ANNA = new Actor("anna", "it is not needed");
    private static final TableLayout NUMBERED =
            TableLayout.debezium().change().column(TableColumn.SEQUENCE, "seq").build();

    private final List<TableFixture> fixtures = new ArrayList<>();

    private TableFixture fixture(TableDialect dialect, TableLayout layout) throws SQLException {
        TableFixture fixture = new TableFixture(dialect, layout);
        fixtures.add(fixture);
        return fixture;
    }

    private TableFixture competing(TableDialect dialect, TableLayout layout) throws SQLException {
        return fixture(dialect, layout).with(options -> options.claiming(TableOptions.Claiming.COMPETING));
    }

    @AfterEach
    void close() {
        fixtures.forEach(TableFixture::close);
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_table_without_an_order_is_refused_until_a_sequence_is_added_by_the_statement_that_doctor_prints(
            TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, TableLayout.debezium());
        String before = fixture.append("a");

        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> fixture.open("one"))
                .withMessageContaining("cannot be read in order")
                .withMessageContaining("competing: true");
        Finding order = fixture.store().admin().examine().stream()
                .filter(finding -> finding.subject().equals("order"))
                .findFirst()
                .orElseThrow();
        String statement =
                order.remedy().substring("Run: ".length(), order.remedy().indexOf(". Writers"));
        fixture.database.execute(statement);
        TableFixture numbered = new TableFixture(fixture.database, NUMBERED);
        fixtures.add(numbered);
        String after = fixture.append("a");

        assertThat(TableFixture.drain(numbered.open("two"))).containsExactly(before, after);
        assertThat(rows(numbered)).isZero();
        assertThat(numbered.store().admin().examine())
                .filteredOn(finding -> finding.subject().equals("order"))
                .allMatch(finding -> finding.what().contains("the column seq orders the rows"));
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void competing_sessions_publish_and_delete_each_row_of_a_table_without_an_order_once(TableDialect dialect)
            throws SQLException {
        TableFixture fixture = competing(dialect, TableLayout.debezium());
        fixture.appendMany(300);
        RelaySession one = fixture.open("one");
        RelaySession two = fixture.open("two");
        List<String> published = new ArrayList<>();
        for (int idle = 0; idle < 2; ) {
            idle++;
            for (RelaySession session : List.of(one, two)) {
                Optional<Batch> batch = session.claim(new Limits(70, 1_000_000));
                if (batch.isPresent()) {
                    idle = 0;
                    published.addAll(TableFixture.ids(batch.get()));
                    assertThat(batch.get().events())
                            .extracting(StoredEvent::createdAt)
                            .allMatch(time ->
                                    Duration.between(time, Instant.now()).abs().toHours() < 1);
                    TableFixture.publish(session, batch.get());
                }
            }
            fixture.passNanos(Duration.ofSeconds(2));
        }

        assertThat(published).hasSize(300);
        assertThat(new HashSet<>(published)).hasSize(300);
        assertThat(rows(fixture)).isZero();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_dead_row_stays_can_be_requeued_and_is_deleted_when_it_is_discarded(TableDialect dialect)
            throws SQLException {
        TableFixture fixture = fixture(dialect, NUMBERED);
        String first = fixture.append("a");
        String second = fixture.append("b");
        Settlement dead = new Settlement.Dead("refused for good", true, false);
        RelaySession session = fixture.open("one");
        assertThat(TableFixture.drain(session, Map.of(first, dead, second, dead)))
                .isEmpty();
        assertThat(rows(fixture)).isEqualTo(2);
        assertThat(fixture.store().admin().relays()).singleElement().satisfies(relay -> {
            assertThat(relay.dead()).isEqualTo(2);
            assertThat(relay.backlog()).isZero();
        });

        fixture.store().admin().requeue(TableFixture.RELAY, Selection.of(first), ANNA);
        assertThat(TableFixture.drain(session)).containsExactly(first);
        fixture.store().admin().discard(TableFixture.RELAY, Selection.all(ParkedState.DEAD), ANNA);

        assertThat(rows(fixture)).isZero();
        assertThat(fixture.database.rows("select * from waybill_claim")).isEmpty();
        assertThat(fixture.store().admin().purge(Duration.ZERO, ANNA)).isZero();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void without_a_creation_time_a_waiting_row_has_no_age(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, NUMBERED);
        String waiting = fixture.append("a");
        RelaySession session = fixture.open("one");
        TableFixture.drain(session, Map.of(waiting, fixture.retryIn(Duration.ofMinutes(1))));

        assertThat(fixture.store().admin().relays()).singleElement().satisfies(relay -> {
            assertThat(relay.parked()).isEqualTo(1);
            assertThat(relay.oldest()).isEmpty();
        });
    }

    @Test
    void a_relay_that_may_not_delete_is_refused_before_it_publishes_anything() throws SQLException {
        TableLayout layout = TableLayout.orders()
                .change()
                .published(TableLayout.Published.DELETE)
                .build();
        TableFixture fixture = fixture(TableDialect.POSTGRESQL, layout);
        fixture.append("a");
        fixture.database.createLogin("keeps_rows");
        try (Connection connection = fixture.database.connect()) {
            TableSchema.grant(connection, layout, DatabaseRoles.NONE.relay("keeps_rows"));
        }
        TableStore store = fixture.store(fixture.database.as("keeps_rows"));
        store.open(TableFixture.RELAY, new OwnerId("one"), TableFixture.LEASE)
                .orElseThrow()
                .close();
        fixture.execute("revoke delete on {table} from keeps_rows");

        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> store.open(TableFixture.RELAY, new OwnerId("two"), TableFixture.LEASE))
                .withMessageContaining("Grant it DELETE on the table");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void what_needs_published_rows_or_their_times_is_refused_with_the_reason(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, NUMBERED);

        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> fixture.store().replays().preview(ReplayQuery.EVERYTHING))
                .withMessageContaining("deletes published rows");
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> fixture.store().admin().events(EventQuery.of(EventFilter.ALL.from(Instant.now()))))
                .withMessageContaining("no creation time");
        fixture.with(options -> options.onPermanentError(TableOptions.OnPermanentError.MARK_PUBLISHED));
        assertThatExceptionOfType(StoreRefusedException.class)
                .isThrownBy(() -> fixture.open("one"))
                .withMessageContaining("would delete a dead event");
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void an_event_that_the_guard_knows_as_published_is_deleted_and_not_sent(TableDialect dialect) throws SQLException {
        TableFixture fixture = fixture(dialect, NUMBERED).with(options -> options.guard(ProcessedEvents.TABLE));
        try (var connection = fixture.database.connect()) {
            ProcessedEvents.create(connection, NUMBERED, ProcessedEvents.TABLE);
        }
        String id = fixture.append("a");
        String guard = dialect.quote(ProcessedEvents.TABLE);
        fixture.database.execute("insert into " + guard + " (event_id, status, created_at, updated_at) values ('" + id
                + "', 'SUCCESS', current_timestamp, current_timestamp)");

        assertThat(TableFixture.drain(fixture.open("one"))).isEmpty();
        assertThat(rows(fixture)).isZero();
    }

    private static int rows(TableFixture fixture) throws SQLException {
        return fixture.database
                .rows("select * from " + fixture.database.dialect().quote(fixture.layout.table()))
                .size();
    }
}
