package dev.waybill.table;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.tck.Seeds;
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

/** Outbox tables of every layout on every database fulfil the contract of stores. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("sample")
class TablesContractTest extends StoreContract {
    /** Each is created once; harnesses empty it. */
    private static final Map<List<Object>, LayoutDatabase> DATABASES = new HashMap<>();

    static final List<String> PRESETS = List.of("waybill", "polyshop", "orders", "pubsub", "notifications");

    /** Layouts that delete published rows. */
    private static final String NUMBERED_DEBEZIUM = "debezium with a sequence";

    static final String DELETED_ORDERS = "orders that are deleted";

    static final List<String> LAYOUTS = Stream.concat(PRESETS.stream(), Stream.of(NUMBERED_DEBEZIUM, DELETED_ORDERS))
            .toList();

    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String preset;

    /** All combinations, or those that match {@code -Dwaybill.tables=H2-(orders|pubsub)}. */
    static Stream<Arguments> everywhere() {
        String asked = System.getProperty("waybill.tables", ".*");
        return Stream.of(TableDialect.values())
                .flatMap(dialect -> LAYOUTS.stream()
                        .filter(preset -> (dialect + "-" + preset).matches(asked))
                        .map(preset -> Arguments.of(dialect, preset)));
    }

    /** Like {@link #everywhere()}, with presets only. */
    static Stream<Arguments> presets() {
        return everywhere().filter(place -> PRESETS.contains((String) place.get()[1]));
    }

    /**
     * Random combinations with every layout and every database; the full check takes all combinations. The display name of a
     * test has its combination, and {@code -Dwaybill.tables=H2-orders} repeats it.
     */
    static Stream<Arguments> sample() {
        return sample(everywhere(), Set.of(0, 1));
    }

    /** Like {@link #sample()}, with one of these layouts for each database. */
    static Stream<Arguments> oneLayoutOfEachDatabase(List<String> presets) {
        return sample(everywhere().filter(place -> presets.contains(place.get()[1])), Set.of(0));
    }

    /** @param covered the arguments of which every value is in the sample */
    private static Stream<Arguments> sample(Stream<Arguments> combinations, Set<Integer> covered) {
        List<Arguments> all = new ArrayList<>(combinations.toList());
        if (Boolean.getBoolean("waybill.full")) {
            return all.stream();
        }
        Collections.shuffle(all, Seeds.ofSample());
        Set<Object> seen = new HashSet<>();
        List<Arguments> chosen = new ArrayList<>();
        // First those of which everything is new: so no combination is more than needed.
        for (int least : List.of(covered.size(), 1)) {
            for (Arguments place : all) {
                List<Object> values = covered.stream().map(i -> place.get()[i]).toList();
                if (values.stream().filter(value -> !seen.contains(value)).count() >= least) {
                    seen.addAll(values);
                    chosen.add(place);
                }
            }
        }
        return chosen.stream();
    }

    static TableLayout layout(String name) {
        return switch (name) {
            case NUMBERED_DEBEZIUM ->
                TableLayout.debezium()
                        .change()
                        .name(name)
                        .column(TableColumn.SEQUENCE, "seq")
                        .payloadKind(TableLayout.PayloadKind.TEXT)
                        .build();
            case DELETED_ORDERS ->
                TableLayout.orders()
                        .change()
                        .name(name)
                        .published(TableLayout.Published.DELETE)
                        .build();
            default -> TableLayout.preset(name);
        };
    }

    @Override
    protected StoreHarness newStore() {
        TableLayout layout = layout(preset);
        return new TableHarness(database(dialect, layout), layout);
    }

    @Override
    protected OptionalInt sampledFailures() {
        return OptionalInt.of(Integer.getInteger("waybill.sampledFailures", 6));
    }

    /** The database that all tests of this layout share. */
    static LayoutDatabase database(TableDialect dialect, TableLayout layout) {
        return DATABASES.computeIfAbsent(List.of(dialect, layout.name()), key -> create(dialect, layout));
    }

    private static LayoutDatabase create(TableDialect dialect, TableLayout layout) {
        try {
            return LayoutDatabase.create(dialect, layout);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
