package dev.waybill.server.cli;

import dev.waybill.RelayName;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.config.Installation;
import dev.waybill.server.terminal.Cell;
import dev.waybill.spi.ProcessRegister;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The stores a command works on: those of a configuration, or one given by its URL. */
final class Stores implements AutoCloseable {
    private final List<Named> all;
    private final Optional<Installation> installation;

    /**
     * A store with a name.
     *
     * @param replays empty if the store has no replays
     * @param configured names of the relays that read it, from the configuration
     * @param processes empty if the store has no register of processes
     */
    record Named(
            String name,
            StoreAdmin admin,
            Optional<ReplayAdmin> replays,
            Set<String> configured,
            Optional<ProcessRegister> processes) {
        ReplayAdmin requireReplays() {
            return replays.orElseThrow(() -> CommandEndedException.usage(
                    "Events of the store " + name + " cannot be replayed: its kind of store has no replays."));
        }
    }

    /** An event and its store. */
    record Found(Named store, EventHistory history) {}

    private Stores(List<Named> all, Optional<Installation> installation) {
        this.all = List.copyOf(all);
        this.installation = installation;
    }

    static Stores one(Named store) {
        return new Stores(List.of(store), Optional.empty());
    }

    /** @param only the one store to use, or all */
    static Stores of(Installation installation, Optional<String> only) {
        List<Named> all = new ArrayList<>();
        for (String name : only.map(Set::of).orElseGet(installation::stores)) {
            all.add(new Named(
                    name,
                    installation.admin(name),
                    installation.replays(name),
                    installation.relaysOf(name),
                    installation.store(name).processes()));
        }
        return new Stores(all, Optional.of(installation));
    }

    List<Named> all() {
        return all;
    }

    /** Whether answers must name the store. */
    boolean several() {
        return all.size() > 1;
    }

    Optional<Installation> installation() {
        return installation;
    }

    Named only() {
        if (several()) {
            throw CommandEndedException.usage("There are several stores. Name one with --store: " + names() + ".");
        }
        return all.get(0);
    }

    /** The store that the relay reads: by the configuration, else the first store that knows the relay. */
    Named ofRelay(RelayName relay) {
        if (!several()) {
            return all.get(0);
        }
        for (Named store : all) {
            if (store.configured().contains(relay.value())) {
                return store;
            }
        }
        for (Named store : all) {
            if (store.admin().relays().stream().map(RelayStatus::name).anyMatch(relay.value()::equals)) {
                return store;
            }
        }
        throw CommandEndedException.notFound("No store knows a relay " + relay + "; looked in " + names() + ".");
    }

    /** The store in which the replay was started. */
    Named ofReplay(RelayName replay) {
        return findReplay(replay)
                .orElseThrow(() -> CommandEndedException.notFound("There is no replay " + replay + " in " + names()
                        + "; `waybill replay list` lists the replays."));
    }

    Optional<Named> findReplay(RelayName replay) {
        return all.stream()
                .filter(store -> store.replays()
                        .flatMap(replays -> replays.replay(replay))
                        .isPresent())
                .findFirst();
    }

    Found find(String eventId) {
        for (Named store : all) {
            Optional<EventHistory> history = store.admin().show(eventId);
            if (history.isPresent()) {
                return new Found(store, history.get());
            }
        }
        throw CommandEndedException.notFound("There is no event " + Cell.harmless(eventId)
                + (several() ? " in " + names() : "") + ": never appended here, rolled back, or deleted by retention.");
    }

    private String names() {
        return String.join(", ", all.stream().map(Named::name).toList());
    }

    @Override
    public void close() {
        installation.ifPresent(Installation::close);
    }
}
