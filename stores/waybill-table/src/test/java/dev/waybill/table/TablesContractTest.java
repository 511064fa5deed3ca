package dev.waybill.table;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Outbox tables are stores, whatever their layout and on every database. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("everywhere")
class TablesContractTest extends StoreContract {
    /** Each is made once, and emptied by its harness. */
    private static final Map<List<Object>, LayoutDatabase> DATABASES = new HashMap<>();

    static final List<String> PRESETS = List.of("waybill", "polyshop", "orders", "pubsub", "notifications");

    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String preset;

    /** All, or those that {@code -Dwaybill.tables=H2-(orders|pubsub)} names. */
    static Stream<Arguments> everywhere() {
        String asked = System.getProperty("waybill.tables", ".*");
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> PRESETS.stream()
                        .filter(preset -> (dialect + "-" + preset).matches(asked))
                        .map(preset -> Arguments.of(dialect, preset)));
    }

    /**
     * One layout of each database, another one in each run; the full check takes all. The name of a test says which, and
     * {@code -Dwaybill.tables=H2-orders} repeats it.
     */
    static Stream<Arguments> oneLayoutOfEachDatabase(List<String> presets) {
        List<Arguments> all = new ArrayList<>(
                everywhere().filter(place -> presets.contains(place.get()[1])).toList());
        if (Boolean.getBoolean("waybill.full")) {
            return all.stream();
        }
        Collections.shuffle(all);
        Set<Object> dialects = new HashSet<>();
        return all.stream().filter(place -> dialects.add(place.get()[0]));
    }

    @Override
    protected StoreHarness newStore() {
        TableLayout layout = TableLayout.preset(preset);
        return new TableHarness(database(dialect, layout), layout);
    }

    @Override
    protected OptionalInt sampledFailures() {
        return OptionalInt.of(Integer.getInteger("waybill.sampledFailures", 12));
    }

    /** The one of the tests that empty it. */
    static LayoutDatabase database(TableDialect dialect, TableLayout layout) {
        return DATABASES.computeIfAbsent(List.of(dialect, layout.name()), key -> create(dialect, layout));
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
