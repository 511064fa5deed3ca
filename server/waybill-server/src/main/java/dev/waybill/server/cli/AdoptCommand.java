package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AdoptAdmin;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description =
                "Makes a copy of a journal one's own. Without options: one that was restored from a dump or moved by logical replication"
                        + " into another cluster; every relay must have stopped. With --environment: one that belonged to another"
                        + " environment. It needs a --reason, and asks.")
final class AdoptCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Mixin
    private Person person = new Person();

    @Mixin
    private Consent consent = new Consent();

    @Option(
            names = "--environment",
            paramLabel = "NAME",
            description = "bind the database to this environment, and change nothing else")
    private @Nullable String environment;

    @Override
    public Integer call() {
        Actor by = person.actorWithReason("Adopting a journal");
        try (Stores stores = choice.open(output.surroundings())) {
            Stores.Named store = stores.only();
            if (!(store.admin() instanceof AdoptAdmin journal)) {
                throw CommandEndedException.usage(
                        "The store " + store.name() + " is no journal: only a journal belongs to one cluster.");
            }
            if (environment != null) {
                bind(store.name(), journal, environment, by);
            } else {
                adopt(store.name(), journal, by);
            }
        }
        return ExitCode.OK.number();
    }

    private void bind(String store, AdoptAdmin journal, String name, Actor by) {
        consent.require(
                "The database of store " + store + " would belong to the environment " + name
                        + ": relays configured for another one refuse to read it, and those of " + name
                        + " publish what it holds.",
                output);
        journal.bindEnvironment(name, by);
        output.done("bound " + store + " to " + name, Map.of("store", store, "environment", name));
    }

    private void adopt(String store, AdoptAdmin journal, Actor by) {
        consent.require(
                "The journal of store " + store
                        + " would be read as restored from another cluster: every relay goes on from where it stood in the copy."
                        + " What it published after the copy was made, it publishes again.",
                output);
        int relays = journal.adopt(by);
        output.done("adopted " + store + ", relays: " + relays, Map.of("store", store, "relays", relays));
    }
}
