package dev.waybill.relay;

import java.time.Duration;

/** The result of one cycle, which determines what the loop does next. */
sealed interface CycleResult {
    Worked WORKED = new Worked();
    Full FULL = new Full();
    Idle IDLE = new Idle();

    /** Something was claimed or settled: continue at once. */
    record Worked() implements CycleResult {}

    /** The maximum is in flight: wait for an answer. */
    record Full() implements CycleResult {}

    /** Nothing to claim: wait for an answer, a wake-up or the next poll. */
    record Idle() implements CycleResult {}

    /** The rate is used up: wait for an answer or this time. */
    record Throttled(Duration until) implements CycleResult {}

    /** The destination is unavailable: back off. */
    record Unavailable(String error) implements CycleResult {}
}
