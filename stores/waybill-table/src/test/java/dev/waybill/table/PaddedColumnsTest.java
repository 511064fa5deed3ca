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

/** Columns of a fixed length that contain shorter texts. */
class PaddedColumnsTest {
    private static final String RUN = "run: ";

    static Stream<Arguments> presetsOfPostgres() {
        return TablesContractTest.presets()
                .filter(place -> place.get()[0] == TableDialect.POSTGRESQL)
                .filter(place -> TableLayout.preset((String) place.get()[1]).idKind() == TableLayout.IdKind.TEXT);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("presetsOfPostgres")
    void on_postgresql_row_ids_of_this_kind_are_refused_with_the_remedy(TableDialect dialect, String preset)
            throws SQLException {
        for (boolean competing : new boolean[] {false, true}) {
            try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
                if (competing) {
                    fixture.with(options -> options.claiming(TableOptions.Claiming.COMPETING));
                }
                fixture.execute("alter table {table} alter column {id} type char(60)");
                append(fixture, "e1");

                assertThat(table(fixture).severity()).isEqualTo(Finding.Severity.PROBLEM);
                assertThat(table(fixture).what()).contains("char(60)", RUN + "alter table", "type varchar(60)");
                assertThatExceptionOfType(StoreRefusedException.class)
                        .isThrownBy(() -> fixture.open("one"))
                        .withMessageContaining("char(60)")
                        .satisfies(refused -> follow(fixture, String.valueOf(refused.getMessage())));

                assertThat(table(fixture).severity()).isEqualTo(Finding.Severity.FINE);
                assertThat(TableFixture.drain(fixture.open("one"))).containsExactly("e1");
                assertThat(TableFixture.drain(fixture.open("one"))).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"char", "bpchar", "short_id"})
    void row_ids_of_every_padded_type_are_refused_with_the_remedy(String type) throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.waybill())) {
            fixture.execute("create domain short_id as char(30)");
            fixture.execute("alter table {table} alter column {id} type " + type);

            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> fixture.open("one"))
                    .satisfies(refused -> follow(fixture, String.valueOf(refused.getMessage())));
            fixture.open("one");
        }
    }

    /**
     * Otherwise the database would not find the key of a waiting row closed, and 60,000 rows behind it would hide all others.
     */
    @ParameterizedTest
    @ValueSource(strings = {"{aggregate_id}", "{aggregate_type}", "{key}"})
    void keys_with_padding_are_refused_with_the_remedy(String column) throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.POSTGRESQL, TableLayout.waybill())) {
            fixture.execute("alter table {table} alter column " + column + " type char(40)");

            assertThat(table(fixture).severity()).isEqualTo(Finding.Severity.PROBLEM);
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> fixture.open("one"))
                    .satisfies(refused -> follow(fixture, String.valueOf(refused.getMessage())));
            fixture.open("one");
        }
    }

    /** MariaDB returns such a text without its trailing spaces, H2 with them, and both compare it as they return it. */
    @ParameterizedTest
    @CsvSource({"MARIADB,false", "MARIADB,true", "H2,false", "H2,true"})
    void on_other_databases_waiting_and_dead_rows_with_padded_ids_are_found(TableDialect dialect, boolean competing)
            throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.waybill())) {
            if (competing) {
                fixture.with(options -> options.claiming(TableOptions.Claiming.COMPETING));
            }
            fixture.execute(
                    dialect == TableDialect.H2
                            ? "alter table {table} alter column {id} set data type char(60)"
                            : "alter table {table} modify {id} char(60) character set utf8mb4 collate "
                                    + MariaDbLayoutSql.COLLATION + " not null");
            append(fixture, "e1", "e2", "e3");
            RelaySession session = fixture.open("one");
            Batch out = session.claim(TableFixture.PLENTY).orElseThrow();
            session.settle(
                    out,
                    List.of(
                            fixture.retryIn(Duration.ofHours(1)),
                            new Settlement.Dead("never", true, true),
                            Settlement.PUBLISHED));
            session.close();

            RelaySession next = fixture.open("two");
            fixture.passNanos(Duration.ofMinutes(2));
            assertThat(next.claim(TableFixture.PLENTY)).isEmpty();
            fixture.clock.advance(Duration.ofHours(1));
            fixture.passNanos(Duration.ofMinutes(2));
            assertThat(TableFixture.drain(next).stream().map(String::strip)).containsExactly("e1");
        }
    }

    private static void append(TableFixture fixture, String... ids) throws SQLException {
        try (Connection transaction = fixture.database.begin()) {
            for (String id : ids) {
                JdbcOutbox.table(fixture.layout)
                        .append(
                                transaction,
                                Event.of("order.placed")
                                        .aggregate("Order", fixture.aggregateId(id))
                                        .payload(Payload.json("{}"))
                                        .id(id));
            }
            transaction.commit();
        }
    }

    private static void follow(TableFixture fixture, String message) {
        try {
            fixture.execute(message.substring(message.indexOf(RUN) + RUN.length(), message.lastIndexOf(").")));
        } catch (SQLException e) {
            throw new IllegalStateException(message, e);
        }
    }

    private static Finding table(TableFixture fixture) {
        return fixture.store().admin().examine().stream()
                .filter(finding -> finding.subject().equals("table"))
                .findFirst()
                .orElseThrow();
    }
}
