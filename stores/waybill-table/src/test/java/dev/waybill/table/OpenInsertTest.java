package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.table.TableOptions.Claiming;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A transaction that has appended and stays open delays nobody, also in a small table: MariaDB reads such a table as a whole
 * rather than look up most of its rows, and a statement that locks what it reads would wait for the appended row.
 */
class OpenInsertTest {
    static Stream<Arguments> layouts() {
        return TablesContractTest.LAYOUTS.stream()
                .flatMap(layout -> Stream.of(Claiming.values()).map(claiming -> Arguments.of(layout, claiming)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("layouts")
    void published_failed_and_dead_rows_are_settled_meanwhile(String layout, Claiming claiming) throws SQLException {
        settle(new TableFixture(TableDialect.MARIADB, TablesContractTest.layout(layout)), claiming);
    }

    /** Each wait takes a second, during which the relay's lease is not renewed. */
    @Test
    void of_many_locked_rows_that_are_to_be_deleted_only_one_is_waited_for() throws SQLException {
        TableLayout layout = TablesContractTest.layout(TablesContractTest.DELETED_ORDERS);
        try (TableFixture fixture = new TableFixture(TableDialect.MARIADB, layout)) {
            fixture.appendMany(40);
            String free = fixture.append("free");
            RelaySession session = fixture.open("one");
            Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
            LayoutNames names = new LayoutNames(layout, TableDialect.MARIADB);
            try (Connection person = fixture.database.begin()) {
                try (Statement statement = person.createStatement()) {
                    for (String id : TableFixture.ids(out)) {
                        if (!id.equals(free)) {
                            statement.executeQuery(
                                    names.in("select {id} from {table} where {id} = '" + id + "' for update"));
                        }
                    }
                }
                long before = lockWaits(fixture);
                TableFixture.publish(session, out);
                assertThat(lockWaits(fixture) - before).isLessThanOrEqualTo(2);
                assertThat(fixture.database.rows(names.in("select {id} from {table}")))
                        .hasSize(40);
                person.rollback();
            }
            assertThat(session.claim(TableFixture.PLENTY)).isEmpty();
            assertThat(fixture.database.rows(names.in("select {id} from {table}")))
                    .isEmpty();
        }
    }

    private static long lockWaits(TableFixture fixture) throws SQLException {
        return Long.parseLong(fixture.database
                .rows("select variable_value from information_schema.global_status"
                        + " where variable_name = 'INNODB_ROW_LOCK_WAITS'")
                .get(0)
                .toString()
                .replaceAll("\\D", ""));
    }

    @ParameterizedTest
    @EnumSource(
            value = TableDialect.class,
            names = {"POSTGRESQL", "H2"})
    void on_other_databases_too(TableDialect dialect) throws SQLException {
        settle(new TableFixture(dialect, TablesContractTest.layout("orders")), Claiming.COMPETING);
    }

    private static void settle(TableFixture created, Claiming claiming) throws SQLException {
        try (TableFixture fixture = created.with(options -> options.claiming(claiming))) {
            fixture.append("a");
            fixture.append("b");
            fixture.append("c");
            RelaySession session = fixture.open("one");
            Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
            String late;
            try (Connection application = fixture.database.begin()) {
                late = fixture.append(application, "d");
                session.settle(
                        out,
                        List.of(
                                Settlement.PUBLISHED,
                                fixture.retryIn(Duration.ofMinutes(1)),
                                new Settlement.Dead("never", true, false)));
                assertThat(fixture.store().admin().relays().get(0).dead()).isEqualTo(1);
                application.commit();
            }
            assertThat(TableFixture.drain(session)).containsExactly(late);
        }
    }
}
