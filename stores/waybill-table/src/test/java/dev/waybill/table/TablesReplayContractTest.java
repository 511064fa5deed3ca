package dev.waybill.table;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.tck.ReplayContract;
import dev.waybill.tck.ReplayHarness;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Outbox tables of every layout on every database fulfil the contract of replays. */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("everywhere")
class TablesReplayContractTest extends ReplayContract {
    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String preset;

    static Stream<Arguments> everywhere() {
        return TablesContractTest.oneLayoutOfEachDatabase(TablesContractTest.PRESETS);
    }

    @Override
    protected ReplayHarness newStore() {
        TableLayout layout = TableLayout.preset(preset);
        return new TableHarness(TablesContractTest.database(dialect, layout), layout);
    }
}
