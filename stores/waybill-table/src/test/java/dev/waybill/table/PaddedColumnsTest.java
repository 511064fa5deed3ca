package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.admin.Finding;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.MariaDbLayoutSql;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of a fixed length with shorter texts in them. */
class PaddedColumnsTest {
    private static final String RUN = "run: ";

    static Stream<Arguments> presetsOfPostgres() {
        return TablesContractTest.everywhere()
                .filter(place -> place.get()[0] == TableDialect.POSTGRESQL)
                .filter(place -> TableLayout.preset((String) place.get()[1]).idKind() == TableLayout.IdKind.TEXT);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("presetsOfPostgres")
    void on_postgresql_row_ids_of_this_kind_are_refused_with_the_remedy(TableDialect dialect, String preset)
            throws SQLException {
        for (boolean competing : new boolean[] {false, true}) {
            try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
                if (competing) {
                    world.with(options -> options.claiming(TableOptions.Claiming.COMPETING));
                }
                world.execute("alter table {table} alter column {id} type char(60)");
                append(world, "e1");

                assertThat(table(world).severity()).isEqualTo(Finding.Severity.PROBLEM);
                assertThat(table(world).what()).contains("char(60)", RUN + "alter table", "type varchar(60)");
                assertThatExceptionOfType(StoreRefusedException.class)
                        .isThrownBy(() -> world.open("one"))
                        .withMessageContaining("char(60)")
                        .satisfies(refused -> follow(world, String.valueOf(refused.getMessage())));

                assertThat(table(world).severity()).isEqualTo(Finding.Severity.FINE);
                assertThat(TableWorld.drain(world.open("one"))).containsExactly("e1");
                assertThat(TableWorld.drain(world.open("one"))).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"char", "bpchar", "short_id"})
    void so_are_those_of_any_name(String type) throws SQLException {
        try (TableWorld world = new TableWorld(TableDialect.POSTGRESQL, TableLayout.waybill())) {
            world.execute("create domain short_id as char(30)");
            world.execute("alter table {table} alter column {id} type " + type);

            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> world.open("one"))
                    .satisfies(refused -> follow(world, String.valueOf(refused.getMessage())));
            world.open("one");
        }
    }

    /** What waits of a key would not close it for the database, and 60,000 rows behind it hid all others. */
    @ParameterizedTest
    @ValueSource(strings = {"{aggregate_id}", "{aggregate_type}", "{key}"})
    void so_are_keys(String column) throws SQLException {
        try (TableWorld world = new TableWorld(TableDialect.POSTGRESQL, TableLayout.waybill())) {
            world.execute("alter table {table} alter column " + column + " type char(40)");

            assertThat(table(world).severity()).isEqualTo(Finding.Severity.PROBLEM);
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> world.open("one"))
                    .satisfies(refused -> follow(world, String.valueOf(refused.getMessage())));
            world.open("one");
        }
    }

    /** MariaDB reads such a text without its spaces, H2 with them, and both compare it as they read it. */
    @ParameterizedTest
    @CsvSource({"MARIADB,false", "MARIADB,true", "H2,false", "H2,true"})
    void elsewhere_what_waits_or_is_dead_is_known_by_them(TableDialect dialect, boolean competing) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.waybill())) {
            if (competing) {
                world.with(options -> options.claiming(TableOptions.Claiming.COMPETING));
            }
            world.execute(
                    dialect == TableDialect.H2
                            ? "alter table {table} alter column {id} set data type char(60)"
                            : "alter table {table} modify {id} char(60) character set utf8mb4 collate "
                                    + MariaDbLayoutSql.COLLATION + " not null");
            append(world, "e1", "e2", "e3");
            RelaySession session = world.open("one");
            Batch out = session.claim(TableWorld.PLENTY).orElseThrow();
            session.settle(
                    out,
                    List.of(
                            world.retryIn(Duration.ofHours(1)),
                            new Settlement.Dead("never", true, true),
                            Settlement.PUBLISHED));
            session.close();

            RelaySession next = world.open("two");
            world.passNanos(Duration.ofMinutes(2));
            assertThat(next.claim(TableWorld.PLENTY)).isEmpty();
            world.clock.advance(Duration.ofHours(1));
            world.passNanos(Duration.ofMinutes(2));
            assertThat(TableWorld.drain(next).stream().map(String::strip)).containsExactly("e1");
        }
    }

    private static void append(TableWorld world, String... ids) throws SQLException {
        try (Connection transaction = world.database.begin()) {
            for (String id : ids) {
                JdbcOutbox.table(world.layout)
                        .append(
                                transaction,
                                Event.of("order.placed")
                                        .aggregate("Order", world.aggregateId(id))
                                        .payload(Payload.json("{}"))
                                        .id(id));
            }
            transaction.commit();
        }
    }

    private static void follow(TableWorld world, String message) {
        try {
            world.execute(message.substring(message.indexOf(RUN) + RUN.length()));
        } catch (SQLException e) {
            throw new IllegalStateException(message, e);
        }
    }

    private static Finding table(TableWorld world) {
        return world.store().admin().examine().stream()
                .filter(finding -> finding.subject().equals("table"))
                .findFirst()
                .orElseThrow();
    }
}
