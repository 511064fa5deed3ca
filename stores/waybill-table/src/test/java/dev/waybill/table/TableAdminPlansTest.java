package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory.State;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.testkit.AdminCost;
import dev.waybill.testkit.ExplainedStatements;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of an operator touch a bounded number of pages of a large table, of which 1 % is dead and 20,000 rows are pending. */
class TableAdminPlansTest {
    private static final int ROWS = Boolean.getBoolean("waybill.full") ? 1_000_000 : 300_000;
    private static final int DEAD = ROWS / 100;
    private static final int PENDING = 20_000;
    /** 20,000 rows read along an index, in the worst case each on its own page, with their side rows. */
    private static final long LOOKED = 200_000;

    @ParameterizedTest
    @ValueSource(strings = {"polyshop", "orders"})
    void status_and_events_touch_a_bounded_number_of_pages(String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.preset(preset))) {
            fixture.open("one").close();
            fill(fixture);
            ExplainedStatements statements = new ExplainedStatements(fixture.database.dataSource());
            AdminCost cost = new AdminCost(
                    preset,
                    fixture.store().admin(),
                    TableStore.on(statements.dataSource(), fixture.layout).admin(),
                    statements);

            RelayStatus status = cost.of("status", StoreAdmin::relays, LOOKED).get(0);
            assertThat(status.dead()).isEqualTo(DEAD);
            assertThat(status.backlogExact()).isFalse();
            assertThat(status.backlog()).isBetween(PENDING / 2L, PENDING * 2L);
            events(cost);
        }
    }

    private static void events(AdminCost cost) {
        EventQuery all = EventQuery.of(EventFilter.ALL);
        assertThat(cost.events("newest", all, 3_000).events()).hasSize(100);
        assertThat(cost.events("pending", all.in(TableFixture.RELAY, State.PENDING), 20_000)
                        .events())
                .hasSize(100);
        assertThat(cost.events("dead", all.in(TableFixture.RELAY, State.DEAD), 20_000)
                        .events())
                .hasSize(100);
        EventListing published = cost.events("published", all.in(TableFixture.RELAY, State.PUBLISHED), LOOKED);
        if (published.events().isEmpty()) {
            // Ordered by id, since no index has published rows by time: pending rows are newer and were read first.
            EventQuery on = all.after(published.next().orElseThrow()).in(TableFixture.RELAY, State.PUBLISHED);
            published = cost.events("published, next page", on, LOOKED);
        }
        assertThat(published.events()).hasSize(100);
        EventListing typed = cost.events("type", EventQuery.of(EventFilter.ALL.type("none")), LOOKED);
        assertThat(typed.lookedAt()).isEqualTo(20_000);
        assertThat(typed.next()).isPresent();
        cost.events("aggregate", EventQuery.of(EventFilter.ALL.aggregateId("none")), LOOKED);
        cost.events("time", EventQuery.of(EventFilter.ALL.from(Instant.parse("2030-01-01T00:00:00Z"))), LOOKED);
    }

    private static void fill(TableFixture fixture) throws SQLException {
        boolean words = fixture.layout.state() instanceof TableState.Words;
        String state = words
                ? "case when n %% 100 = 7 then 'FAILED' when n > %1$d then 'NEW' else 'SENT' end"
                : "n %% 100 <> 7 and n <= %1$d";
        String columns = words ? ", {aggregate_type}" : "";
        String values = words ? ", 'Thing'" : "";
        String key = words ? "('00000000-0000-0000-0000-' || lpad((n / 10)::text, 12, '0'))::uuid" : "(n / 10)::text";
        fixture.execute("""
                insert into {table} ({id}, {type}, {aggregate_id}, {payload}, {created_at}, {state}, {published_at}%s)
                select ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'common', %s, '{"n": 1}',
                       timestamp '2026-01-01 00:00:00' + n * interval '1 second', %s,
                       case when n <= %d then timestamp '2026-02-01 00:00:00' end%s
                  from generate_series(1, %d) n""".formatted(columns, key, state.formatted(ROWS - PENDING), ROWS - PENDING, values, ROWS));
        if (!words) {
            fixture.execute("""
                    insert into {claim} (outbox, row_id, key_hash, position, state, holds, attempts, error)
                    select '%s', {id}::text, {id}::text, extract(epoch from {created_at}) * 1000000, 'dead', false, 10, 'no'
                      from {table} where {state} = false and extract(epoch from {created_at})::bigint %% 100 = 7""".formatted(fixture.layout.table()));
        }
        fixture.execute("vacuum analyze {table}");
        fixture.execute("vacuum analyze {claim}");
    }
}
