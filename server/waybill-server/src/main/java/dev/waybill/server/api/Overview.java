package dev.waybill.server.api;

import dev.waybill.server.live.StoreSample;
import java.time.Instant;
import java.time.InstantSource;

/** The newest samples of all stores, as JSON. */
final class Overview {
    private final Backend backend;
    private final RelayShape relays;
    private final boolean readOnly;
    private final InstantSource clock;

    Overview(Backend backend, RelayShape relays, boolean readOnly, InstantSource clock) {
        this.backend = backend;
        this.relays = relays;
        this.readOnly = readOnly;
        this.clock = clock;
    }

    Obj now() {
        Instant now = clock.instant();
        return new Obj()
                .time("at", now)
                .flag("readOnly", readOnly)
                .list(
                        "stores",
                        backend.sampler().samples().stream()
                                .map(sample -> store(sample, now))
                                .toList());
    }

    private Obj store(StoreSample sample, Instant now) {
        return new Obj()
                .text("store", sample.store())
                .flag("reachable", sample.isKnown())
                .time("sampledAt", sample.at())
                .seconds("ageSeconds", sample.age(now))
                .text("error", sample.unavailable().map(StoreSample.Unavailable::why))
                .time("unavailableSince", sample.unavailable().map(StoreSample.Unavailable::since))
                .list("relays", relays.all(sample));
    }
}
