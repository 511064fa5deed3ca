package dev.waybill.server.cli;

import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.config.Installation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The relay whose destination a replay uses, and its rate. */
final class ReplayOptions extends ConfigurationChoice {
    @Option(
            names = "--relay",
            required = true,
            paramLabel = "NAME",
            description = "the relay whose store, destination, route and format are used")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String relay;

    @Option(names = "--rate", paramLabel = "N", description = "maximum number of events per second")
    private @Nullable Integer rate;

    String relay() {
        return relay;
    }

    Installation installation(Console console) {
        return installation(
                console, "A replay needs --config FILE: it sends to the destination of a relay in that file.");
    }

    /** The store that the relay reads. */
    Stores.Named store(Installation installation) {
        String name = installation.storeOf(relay);
        return new Stores.Named(
                name,
                installation.admin(name),
                installation.replays(name),
                installation.relaysOf(name),
                Optional.empty());
    }

    RelayPlan plan(Installation installation) {
        RelayPlan plan = installation.plan(relay);
        RelayOptions options = plan.options();
        return rate == null ? plan : plan.options(options.rate(rate));
    }
}
