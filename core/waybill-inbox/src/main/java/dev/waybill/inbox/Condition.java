package dev.waybill.inbox;

import java.time.InstantSource;

/**
 * What all parts of one consumer share about how it is.
 *
 * @param clock for waits: it never jumps
 * @param wall what people call the time
 */
record Condition(InstantSource clock, InstantSource wall, Waits waits, Absences absences, Vitals vitals) {

    /** @param workers how many events are handled at once; at most half of them try whether something is still away */
    static Condition at(InstantSource clock, InstantSource wall, Waits waits, int workers) {
        Absences absences = new Absences(waits, Math.max(1, workers / 2));
        return new Condition(clock, wall, waits, absences, new Vitals(clock, waits, absences));
    }
}
