package dev.waybill.server.cli;

import dev.waybill.RelayName;
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

/** Selects parked and dead events of a relay: by their ids, or all in a state that match a filter. */
final class SelectionOptions {
    @Option(
            names = "--relay",
            required = true,
            paramLabel = "NAME",
            description = "relay in which the events are parked or dead")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String relay;

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "event ids; or use --state to select all matching events")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "all matching events in this state: ${COMPLETION-CANDIDATES} (due: to be retried; waiting: behind an"
                            + " earlier event of the key)")
    private @Nullable ParkedState state;

    @Option(
            names = "--error",
            paramLabel = "TEXT",
            description = "with --state: only events whose error contains this text")
    private @Nullable String error;

    @Mixin
    private EventOptions.WithKey filter = new EventOptions.WithKey();

    RelayName relay() {
        return new RelayName(relay);
    }

    Selection selection(InstantSource clock) {
        EventFilter wanted = filter.filter(clock);
        boolean filtered = error != null || !wanted.equals(EventFilter.ALL);
        if (ids.isEmpty() == (state == null) || (state == null && filtered)) {
            throw CommandEndedException.usage(
                    "No events were selected: give their ids, or --state for all that match; --type,"
                            + " --key, --from and the like need --state.");
        }
        return state == null ? Selection.of(ids) : new Selection.Matching(state, wanted, Optional.ofNullable(error));
    }
}
