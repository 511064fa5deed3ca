package dev.waybill.server.cli;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.ReplayQuery;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which events, by what they are. */
final class EventOptions {
    @Option(names = "--type", paramLabel = "TYPE", description = "only events of this type")
    private @Nullable String type;

    @Option(names = "--aggregate-type", paramLabel = "TYPE", description = "only events of aggregates of this type")
    private @Nullable String aggregateType;

    @Option(names = "--aggregate-id", paramLabel = "ID", description = "only events of the aggregate with this id")
    private @Nullable String aggregateId;

    @Option(names = "--from", paramLabel = "TIME", description = "only events created then or later: " + Times.FORM)
    private @Nullable String from;

    @Option(names = "--until", paramLabel = "TIME", description = "only events created before, written in the same way")
    private @Nullable String until;

    EventFilter filter(Optional<String> key, InstantSource clock) {
        return new EventFilter(
                Optional.ofNullable(type),
                Optional.ofNullable(aggregateType),
                Optional.ofNullable(aggregateId),
                key,
                time(from, clock),
                time(until, clock));
    }

    ReplayQuery query(InstantSource clock) {
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
}
