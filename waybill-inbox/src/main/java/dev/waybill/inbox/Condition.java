package dev.waybill.inbox;

import java.time.InstantSource;

/** What all parts of one consumer share about how it is. */
record Condition(InstantSource clock, Waits waits, Absences absences, Vitals vitals) {

    static Condition at(InstantSource clock, Waits waits) {
        Absences absences = new Absences(waits);
        return new Condition(clock, waits, absences, new Vitals(clock, waits, absences));
    }
}
