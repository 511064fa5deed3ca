package dev.waybill.server.cli;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ReplayQuery;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Filters events by type, aggregate and time. */
class EventOptions {
    @Option(names = "--type", paramLabel = "TYPE", description = "only events of this type")
    private @Nullable String type;

    @Option(names = "--aggregate-type", paramLabel = "TYPE", description = "only events with this aggregate type")
    private @Nullable String aggregateType;

    @Option(names = "--aggregate-id", paramLabel = "ID", description = "only events with this aggregate id")
    private @Nullable String aggregateId;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "only events created at or after this time: " + Times.FORM)
    private @Nullable String from;

    @Option(names = "--until", paramLabel = "TIME", description = "only events created before this time")
    private @Nullable String until;

    final EventFilter filter(Optional<String> key, InstantSource clock) {
        return new EventFilter(
                Optional.ofNullable(type),
                Optional.ofNullable(aggregateType),
                Optional.ofNullable(aggregateId),
                key,
                time(from, clock),
                time(until, clock));
    }

    final ReplayQuery query(InstantSource clock) {
        return new ReplayQuery(
                time(from, clock),
                time(until, clock),
                Optional.ofNullable(type),
                Optional.ofNullable(aggregateType),
                Optional.ofNullable(aggregateId));
    }

    private static Optional<Instant> time(@Nullable String text, InstantSource clock) {
        return Optional.ofNullable(text).map(given -> Times.parse(given, clock));
    }

    /** Also by key, which replays cannot. */
    static final class WithKey extends EventOptions {
        @Option(
                names = "--key",
                paramLabel = "KEY",
                description = "only events with this key: the stored key, or aggregate type:aggregate id if there is"
                        + " none")
        private @Nullable String key;

        EventFilter filter(InstantSource clock) {
            return filter(Optional.ofNullable(key), clock);
        }
    }
}
