package dev.waybill.bench;

import dev.waybill.bench.systems.Rounds;
import java.time.Duration;

/**
 * How much is measured.
 *
 * @param events that fast systems drain
 * @param warmUps drains before, which do not count
 * @param rounds of drains
 * @param latencySeconds of each system at each rate
 * @param thorough whether latencies are also measured at half of the maximum and over slower links, and slow peers there at all
 * @param appendTime of each system in each round
 * @param appendRounds short ones in turns: the speed of a disk changes from second to second
 * @param largestBacklog of the growth, and as many events are retained
 * @param variedEvents that are drained with other keys, or beside retained events
 * @param distantEvents that fast systems drain over a slower link
 * @param inboxEvents that are consumed
 */
record Scale(
        int events,
        int warmUps,
        int rounds,
        int latencySeconds,
        boolean thorough,
        Duration appendTime,
        int appendRounds,
        int largestBacklog,
        int variedEvents,
        int distantEvents,
        int inboxEvents) {
    /** Less than five minutes; the figures are rough. */
    static final Scale QUICK =
            new Scale(100_000, 0, 1, 2, false, Duration.ofSeconds(1), 2, 100_000, 30_000, 50_000, 5_000);

    /** About an hour. */
    static final Scale WHOLE =
            new Scale(3_000_000, 5, 3, 15, true, Duration.ofSeconds(1), 12, 10_000_000, 500_000, 500_000, 20_000);

    /** With another number of events or rounds, unless that is 0. */
    Scale with(int otherEvents, int otherRounds) {
        return new Scale(
                otherEvents > 0 ? otherEvents : events,
                warmUps,
                otherRounds > 0 ? otherRounds : rounds,
                latencySeconds,
                thorough,
                appendTime,
                otherRounds > 0 ? otherRounds : appendRounds,
                largestBacklog,
                variedEvents,
                distantEvents,
                inboxEvents);
    }

    /** Of each system over a slower link, in a process that has just been started. */
    Duration distantWarmUp() {
        return Duration.ofSeconds(thorough ? 20 : 0);
    }

    /** After warm-ups with as many events: the compilers are still at work after three of them. */
    Rounds warmDrains() {
        return new Rounds(warmUps, rounds);
    }

    /** Without warm-up. */
    Rounds drains() {
        return new Rounds(0, rounds);
    }

    /** Compiling the path of an append takes some seconds. */
    Rounds appends() {
        return new Rounds((appendRounds + 2) / 3, appendRounds);
    }
}
