package dev.waybill.server.cli;

import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.config.Installation;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a replay's events go, and how fast. */
final class ReplayOptions {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "the configuration of waybill run; else the environment variable " + Surroundings.CONFIGURATION)
    private @Nullable Path file;

    @Option(
            names = "--relay",
            required = true,
            paramLabel = "NAME",
            description = "the relay whose store, destination, route and format are used")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String relay;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "at most so many events a second, so that others are not crowded out")
    private @Nullable Integer rate;

    String relay() {
        return relay;
    }

    Installation installation(Surroundings surroundings) {
        return Installation.read(
                Optional.ofNullable(file)
                        .or(() -> surroundings.configuration().map(Path::of))
                        .orElseThrow(
                                () -> CommandEndedException.usage(
                                        "Where to? A replay needs --config FILE: it goes to the destination of a relay of that file.")),
                surroundings.secrets());
    }

    /** The store that the relay reads, and how it is replayed. */
    Stores.Named store(Installation installation) {
        String name = installation.storeOf(relay);
        return new Stores.Named(
                name, installation.admin(name), installation.replays(name), installation.relaysOf(name));
    }

    RelayPlan plan(Installation installation) {
        RelayPlan plan = installation.plan(relay);
        RelayOptions options = plan.options();
        return rate == null ? plan : plan.options(options.rate(rate));
    }
}
