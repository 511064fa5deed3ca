package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A database computes for a row what stands for its key in the side table. */
class KeyHashTest {
    static Stream<Arguments> everywhere() {
        return TablesContractTest.everywhere();
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void every_database_computes_the_same_as_we_do(TableDialect dialect, String preset) throws SQLException {
        try (TableWorld world = new TableWorld(dialect, TableLayout.preset(preset))) {
            world.append("a");
            if (world.layout.aggregateIdKind() == TableLayout.IdKind.TEXT) {
                append(world, "Käse ' \\ €");
            }
            RelaySession session = world.open("one");
            Batch batch = session.claim(TableWorld.PLENTY).orElseThrow();

            TableText text = new TableText(world.layout, dialect, TableView.PLAIN);
            String hash = text.in("select {key_hash_of_row} as hash from {table} t order by {created_at}")
                    .replace("?", "''");
            assertThat(world.database.rows(hash).stream().map(row -> row.get("hash")))
                    .containsExactlyElementsOf(batch.events().stream()
                            .map(event -> (Object) KeyHash.of(event.orderKey().bytes()))
                            .toList());
        }
    }

    private static void append(TableWorld world, String aggregateId) throws SQLException {
        try (Connection connection = world.database.begin()) {
            JdbcOutbox.table(world.layout)
                    .append(
                            connection,
                            Event.of("thing.happened.v1")
                                    .aggregate("Thing", aggregateId)
                                    .payload(Payload.json("{}")));
            connection.commit();
        }
    }
}
