package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AdoptAdmin;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.Counted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that change a relay, or a store as a whole. */
final class RelayCommands {
    private static final String RELAY = "the name of the relay";

    private RelayCommands() {}

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Pauses a relay in all processes until it is resumed. Events in flight are completed.")
    static int pause(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Operator operator,
            @Parameters(paramLabel = "RELAY", description = RELAY) String relay) {
        return pause(choice, output, relay, true, (admin, name) -> admin.pause(name, operator.actor()));
    }

    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            description = "Resumes a paused relay from its position.")
    static int resume(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Operator operator,
            @Parameters(paramLabel = "RELAY", description = RELAY) String relay) {
        return pause(choice, output, relay, false, (admin, name) -> admin.resume(name, operator.actor()));
    }

    /** Changes a relay; false if the store does not know it. */
    private interface Change {
        boolean of(StoreAdmin admin, RelayName relay);
    }

    private static int pause(StoreChoice choice, Output output, String relay, boolean paused, Change change) {
        RelayName name = new RelayName(relay);
        try (Stores stores = choice.open(output)) {
            if (!change.of(stores.ofRelay(name).admin(), name)) {
                throw CommandEndedException.noSuchRelay(name);
            }
        }
        return output.done((paused ? "paused " : "resumed ") + name, Map.of("relay", relay, "paused", paused));
    }

    @Command(
            name = "drop",
            mixinStandardHelpOptions = true,
            description = "Removes a relay or a replay with its position and its parked and dead events, so that"
                    + " retention no longer waits for it. Fails while a process runs the relay. Processes that"
                    + " have it in their configuration do not start it again until waybill relay restore."
                    + " Requires --reason and asks for confirmation.")
    static int drop(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Parameters(paramLabel = "RELAY", description = RELAY) String relay) {
        RelayName name = new RelayName(relay);
        Actor by = confirmation.actorWithReason("Dropping a relay");
        try (Stores stores = choice.open(output)) {
            Stores.Named store = stores.findReplay(name).orElseGet(() -> stores.ofRelay(name));
            confirmation.require(dropPreview(store, name), output);
            if (!store.admin().drop(name, by)) {
                throw CommandEndedException.noSuchRelay(name);
            }
        }
        return output.done("dropped " + name, Map.of("relay", relay, "dropped", true));
    }

    private static String dropPreview(Stores.Named store, RelayName name) {
        return store.replays()
                .flatMap(replays -> replays.replay(name))
                .map(status -> "The replay " + name + " would be removed: " + ReplayRun.state(status) + ", "
                        + status.counts() + ".")
                .orElseGet(() -> dropPreview(store.admin().relays().stream()
                        .filter(each -> each.name().equals(name.value()))
                        .findFirst()
                        .orElseThrow(() -> CommandEndedException.noSuchRelay(name))));
    }

    private static String dropPreview(RelayStatus status) {
        String runs = status.lease()
                .map(lease -> lease.owner() + " runs it, so it must be stopped first")
                .orElse("no process runs it");
        return "Relay " + status.name() + " would be removed: " + runs + "; its backlog of "
                + (status.backlogExact() ? "" : "about ") + Counted.of(status.backlog(), "event") + ", "
                + Counted.of(status.parked(), "parked event") + " and " + Counted.of(status.dead(), "dead event")
                + " would never be sent by it.";
    }

    @Command(
            name = "restore",
            mixinStandardHelpOptions = true,
            description = "Allows a dropped relay to run again. It starts as a new relay, at the start position of"
                    + " its configuration. Requires --reason and asks for confirmation.")
    static int restore(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Parameters(paramLabel = "RELAY", description = RELAY) String relay) {
        RelayName name = new RelayName(relay);
        Actor by = confirmation.actorWithReason("Restoring a relay");
        try (Stores stores = choice.open(output)) {
            confirmation.require(
                    "Relay " + name + " could run again. A relay that starts at the beginning publishes everything its"
                            + " store still has.",
                    output);
            // Every store is asked: the relay may have been dropped in more than one.
            if (stores.all().stream()
                            .filter(store -> store.admin().restore(name, by))
                            .count()
                    == 0) {
                throw CommandEndedException.notFound("No relay " + name
                        + " was dropped here; a relay that was not dropped can run without this command.");
            }
        }
        return output.done("restored " + name, Map.of("relay", relay, "restored", true));
    }

    @Command(
            name = "purge",
            mixinStandardHelpOptions = true,
            description = "Deletes events older than the given age that every relay has published and no relay has"
                    + " parked, in small steps. Asks for confirmation.")
    static int purge(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Option(
                            names = "--older-than",
                            required = true,
                            paramLabel = "TIME",
                            description = "age such as 30d or 12h, by the store's clock")
                    String olderThan) {
        Duration age = Times.duration(olderThan);
        try (Stores stores = choice.open(output)) {
            Stores.Named store = stores.only();
            InstantSource clock = output.context().clock();
            Instant shown = clock.instant();
            confirmation.require(
                    "Published events of store " + store.name() + " that are older than " + olderThan
                            + " would be deleted permanently.",
                    output);
            // The age counts from the question, whenever it is answered.
            Duration waited = Duration.between(shown, clock.instant());
            long deleted = store.admin().purge(age.plus(waited), confirmation.actor());
            return output.done("deleted " + Counted.of(deleted, "event"), Map.of("deleted", deleted));
        }
    }

    @Command(
            name = "adopt",
            mixinStandardHelpOptions = true,
            description = "Adopts a journal that was restored from a dump, or moved by logical replication, into"
                    + " another cluster; stop all relays first. With --environment: adopts a copy from another"
                    + " environment. Requires --reason and asks for confirmation.")
    static int adopt(
            @Mixin StoreChoice choice,
            @Mixin Output output,
            @Mixin Confirmation confirmation,
            @Option(
                            names = "--environment",
                            paramLabel = "NAME",
                            description = "bind the database to this environment; changes nothing else")
                    @Nullable String environment) {
        Actor by = confirmation.actorWithReason("Adopting a journal");
        try (Stores stores = choice.open(output)) {
            Stores.Named only = stores.only();
            String store = only.name();
            if (!(only.admin() instanceof AdoptAdmin journal)) {
                throw CommandEndedException.usage(
                        "The store " + store + " is not a journal: only a journal belongs to one cluster.");
            }
            if (environment != null) {
                confirmation.require(
                        "The database of store " + store + " would belong to the environment " + environment
                                + ": relays configured for another one refuse to read it, and those of " + environment
                                + " publish what it holds.",
                        output);
                journal.bindEnvironment(environment, by);
                return output.done(
                        "bound " + store + " to " + environment, Map.of("store", store, "environment", environment));
            }
            confirmation.require(
                    "The journal of store " + store
                            + " would be read as restored from another cluster: every relay continues from its position in"
                            + " the copy. What it published after the copy was made, it publishes again.",
                    output);
            int relays = journal.adopt(by);
            return output.done("adopted " + store + ", relays: " + relays, Map.of("store", store, "relays", relays));
        }
    }
}
