package dev.waybill.relay;

import java.time.Duration;

/** The result of one cycle, which determines what the loop does next. */
sealed interface CycleResult {
    Worked WORKED = new Worked();
    Full FULL = new Full();
    Idle IDLE = new Idle();
    Waiting WAITING = new Waiting();

    /** Something was claimed or settled: continue at once. */
    record Worked() implements CycleResult {}

    /** The maximum is in flight: wait for an answer. */
    record Full() implements CycleResult {}

    /** Nothing to claim, and every message is answered: wait for a wake-up or the next poll. */
    record Idle() implements CycleResult {}

    /** Nothing to claim, but messages are unanswered: wait for an answer, a wake-up or the next poll. */
    record Waiting() implements CycleResult {}

    /** The rate is used up: wait for an answer or this time. */
    record Throttled(Duration until) implements CycleResult {}

    /** The destination is unavailable: back off. */
    record Unavailable(String error) implements CycleResult {}
}
