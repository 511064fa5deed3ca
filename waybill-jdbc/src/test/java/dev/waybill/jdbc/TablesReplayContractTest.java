package dev.waybill.jdbc;

import dev.waybill.tck.ReplayContract;
import dev.waybill.tck.ReplayHarness;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Outbox tables can replay, whatever their layout and on every database. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("everywhere")
class TablesReplayContractTest extends ReplayContract {
    /** Each is made once, and emptied by its harness. */
    private static final Map<List<Object>, LayoutDatabase> DATABASES = new HashMap<>();

    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String preset;

    static Stream<Arguments> everywhere() {
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> Stream.of("waybill", "polyshop", "orders", "pubsub", "notifications")
                        .map(preset -> Arguments.of(dialect, preset)));
    }

    @Override
    protected ReplayHarness newStore() {
        TableLayout layout = TableLayout.preset(preset);
        return new TableHarness(
                DATABASES.computeIfAbsent(List.of(dialect, preset), key -> create(dialect, layout)), layout);
    }

    private static LayoutDatabase create(TableDialect dialect, TableLayout layout) {
        try {
            LayoutDatabase database = LayoutDatabase.create(dialect);
            database.create(layout);
            return database;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
