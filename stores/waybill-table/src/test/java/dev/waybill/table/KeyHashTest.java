package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.table.rows.SideRow;
import dev.waybill.table.rows.TableText;
import dev.waybill.table.rows.TableView;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases compute the hash of a row's key as Java does. */
class KeyHashTest {
    static Stream<Arguments> everywhere() {
        return TablesContractTest.presets();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void every_database_computes_the_same_hash_as_java(TableDialect dialect, String preset) throws SQLException {
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            fixture.append("a");
            if (fixture.layout.aggregateIdKind() == TableLayout.IdKind.TEXT) {
                append(fixture, "Käse ' \\ €");
            }
            RelaySession session = fixture.open("one");
            Batch batch = session.claim(TableFixture.PLENTY).orElseThrow();

            TableText text = new TableText(fixture.layout, dialect, TableView.PLAIN);
            String hash = text.in("select {key_hash_of_row} as hash from {table} t order by {created_at}")
                    .replace("?", "''");
            assertThat(fixture.database.rows(hash).stream().map(row -> row.get("hash")))
                    .containsExactlyElementsOf(batch.events().stream()
                            .map(event -> (Object) SideRow.hash(event.orderKey().bytes()))
                            .toList());
        }
    }

    private static void append(TableFixture fixture, String aggregateId) throws SQLException {
        try (Connection connection = fixture.database.begin()) {
            JdbcOutbox.table(fixture.layout)
                    .append(
                            connection,
                            Event.of("thing.happened.v1")
                                    .aggregate("Thing", aggregateId)
                                    .payload(Payload.json("{}")));
            connection.commit();
        }
    }
}
