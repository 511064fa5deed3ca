package dev.waybill.server.cli;

import dev.waybill.admin.EventFilter;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which events, by what they are or by their key. */
final class FilterOptions {
    @Mixin
    private EventOptions events = new EventOptions();

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "only events of this key: the one they were given, else aggregate type:aggregate id")
    private @Nullable String key;

    EventFilter filter(InstantSource clock) {
        return events.filter(Optional.ofNullable(key), clock);
    }
}
