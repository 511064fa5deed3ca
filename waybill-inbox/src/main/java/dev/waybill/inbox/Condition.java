package dev.waybill.inbox;

import java.time.InstantSource;

/**
 * What all parts of one consumer share about how it is.
 *
 * @param clock for waits: it never jumps
 * @param wall what people call the time
 */
record Condition(InstantSource clock, InstantSource wall, Waits waits, Absences absences, Vitals vitals) {

    static Condition at(InstantSource clock, InstantSource wall, Waits waits) {
        Absences absences = new Absences(waits);
        return new Condition(clock, wall, waits, absences, new Vitals(clock, waits, absences));
    }
}
