package dev.waybill.spring.boot.properties;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Two times of which one must not be longer than the other. */
record Range(Duration shortest, Duration longest) {

    /**
     * If only one of the two is given: with another one that fits to it. It is equal if both are equal by default, as in a poll
     * at fixed intervals.
     */
    Range with(@Nullable Duration givenShortest, @Nullable Duration givenLongest) {
        if (givenShortest != null && givenLongest != null) {
            return new Range(givenShortest, givenLongest);
        }
        boolean fixed = shortest.equals(longest);
        if (givenShortest != null) {
            return new Range(givenShortest, fixed || givenShortest.compareTo(longest) > 0 ? givenShortest : longest);
        }
        if (givenLongest != null) {
            return new Range(fixed || givenLongest.compareTo(shortest) < 0 ? givenLongest : shortest, givenLongest);
        }
        return this;
    }
}
