package dev.waybill.relay;

import java.time.Duration;

/** What one turn of the cycle came to, and so what the loop does next. */
sealed interface Turn {
    Worked WORKED = new Worked();
    Full FULL = new Full();
    Idle IDLE = new Idle();

    /** Something was claimed or settled: go on at once. */
    record Worked() implements Turn {}

    /** As much is out as may be: wait for an answer. */
    record Full() implements Turn {}

    /** Nothing to claim: wait for an answer, a wake-up, or a while. */
    record Idle() implements Turn {}

    /** The rate is used up: wait for an answer, or so long. */
    record Throttled(Duration until) implements Turn {}

    /** The destination is away: wait longer each time. */
    record Unavailable(String error) implements Turn {}
}
