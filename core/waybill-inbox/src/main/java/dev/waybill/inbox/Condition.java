package dev.waybill.inbox;

import java.time.InstantSource;

/**
 * State that all parts of one consumer share.
 *
 * @param clock monotonic, for waits
 * @param wall the wall clock
 */
record Condition(InstantSource clock, InstantSource wall, Waits waits, Absences absences, Vitals vitals) {

    /** @param workers how many events are handled at once; at most half of them retry what is unavailable */
    static Condition at(InstantSource clock, InstantSource wall, Waits waits, int workers) {
        Absences absences = new Absences(waits, Math.max(1, workers / 2));
        return new Condition(clock, wall, waits, absences, new Vitals(clock, waits, absences));
    }
}
