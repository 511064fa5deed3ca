package dev.waybill.inbox;

import java.time.InstantSource;

/**
 * State that all parts of one consumer share.
 *
 * @param clock monotonic, for waits
 * @param wall the wall clock
 */
record SharedState(InstantSource clock, InstantSource wall, Waits waits, Outages outages, CurrentProblems problems) {

    /** @param workers how many events are handled at once; at most half of them are probes during an outage */
    static SharedState at(InstantSource clock, InstantSource wall, Waits waits, int workers) {
        Outages outages = new Outages(waits, Math.max(1, workers / 2));
        return new SharedState(clock, wall, waits, outages, new CurrentProblems(clock, waits, outages));
    }
}
