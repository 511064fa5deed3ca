package dev.waybill.server.api;

import dev.waybill.RelayName;
import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.config.Installation;
import dev.waybill.server.live.Sampler;
import dev.waybill.server.live.StoreSample;
import dev.waybill.server.operation.Operations;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What the routes work on. */
record Backend(Installation installation, Sampler sampler, Operations operations, Lanes lanes) {

    /** @throws RefusedException if there is no store of this name */
    StoreAdmin admin(String store) {
        return installation.admin(known(store));
    }

    /** Empty if the store has no replays. */
    Optional<ReplayAdmin> replays(String store) {
        return installation.replays(known(store));
    }

    private String known(String store) {
        if (!installation.stores().contains(store)) {
            throw notFound("There is no store of this name in the configuration of the process.");
        }
        return store;
    }

    String destination(String name) {
        if (!installation.destinations().contains(name)) {
            throw notFound("There is no destination of this name in the configuration of the process.");
        }
        return name;
    }

    static RelayName relay(String name) {
        try {
            return new RelayName(name);
        } catch (IllegalArgumentException e) {
            throw notFound("There is no relay of this name.");
        }
    }

    static RefusedException notFound(String what) {
        return new RefusedException("404 Not Found", "not-found", what);
    }

    static RefusedException conflict(String what) {
        return new RefusedException("409 Conflict", "conflict", what);
    }

    /**
     * Reads from several stores: one that is away neither hides nor delays the others. A store that the newest sample could not read is
     * not asked at all.
     *
     * @return those that failed, why, and since when if the samples tell
     */
    List<Obj> eachStore(Iterable<String> names, Consumer<String> reading) {
        Map<String, Instant> since = new HashMap<>();
        List<Obj> unavailable = each("store", names, store -> {
            sampler.sample(store).flatMap(StoreSample::unavailable).ifPresent(known -> {
                since.put(store, known.since());
                throw new StoreException(known.why());
            });
            reading.accept(store);
        });
        unavailable.forEach(each -> each.time(
                "since", Optional.ofNullable(since.get(String.valueOf(each.map().get("store"))))));
        return unavailable;
    }

    /** The same for destinations. */
    static List<Obj> eachDestination(Iterable<String> names, Consumer<String> reading) {
        return each("destination", names, reading);
    }

    private static List<Obj> each(String kind, Iterable<String> names, Consumer<String> reading) {
        List<Obj> unavailable = new ArrayList<>();
        for (String name : names) {
            try {
                reading.accept(name);
            } catch (StoreException | SourceException e) {
                unavailable.add(new Obj().text(kind, name).text("error", String.valueOf(e.getMessage())));
            }
        }
        return unavailable;
    }
}
