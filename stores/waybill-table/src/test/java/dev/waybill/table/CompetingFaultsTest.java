package dev.waybill.table;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.tck.FailingCallsContract;
import dev.waybill.tck.StoreHarness;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whichever call of a competing relay fails, nothing is lost, with every layout on every database. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("everywhere")
class CompetingFaultsTest extends FailingCallsContract {
    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String preset;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.oneLayoutOfEachDatabase(TablesContractTest.LAYOUTS);
    }

    @Override
    protected StoreHarness newStore() {
        TableLayout layout = TablesContractTest.layout(preset);
        return new TableHarness(
                TablesContractTest.database(dialect, layout),
                layout,
                TableOptions.defaults()
                        .claiming(TableOptions.Claiming.COMPETING)
                        .nanoTime(() -> 0));
    }

    @Override
    protected OptionalInt sampledFailures() {
        return OptionalInt.of(Integer.getInteger("waybill.sampledFailures", 5));
    }
}
