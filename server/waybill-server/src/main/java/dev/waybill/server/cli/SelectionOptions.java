package dev.waybill.server.cli;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which parked and dead events of a relay: by their ids, or all that stand so and match. */
final class SelectionOptions {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "events by their ids; or --state, to mean all that match")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "all that stand so and match: ${COMPLETION-CANDIDATES}")
    private @Nullable ParkedState state;

    @Option(names = "--error", paramLabel = "TEXT", description = "with --state: whose error contains this text")
    private @Nullable String error;

    @Mixin
    private FilterOptions filter = new FilterOptions();

    Selection selection(InstantSource clock) {
        EventFilter wanted = filter.filter(clock);
        boolean filtered = error != null || !wanted.equals(EventFilter.ALL);
        if (ids.isEmpty() == (state == null) || (state == null && filtered)) {
            throw CommandEndedException.usage("Which events? Give their ids, or --state to mean all that match; --type,"
                    + " --key, --from and the like go with --state.");
        }
        return state == null ? Selection.of(ids) : new Selection.Matching(state, wanted, Optional.ofNullable(error));
    }
}
