package dev.waybill.jdbc;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How a relay reads the journal.
 *
 * @param clock tells when a retry is due and a save is; leases go by the database's own clock
 * @param saveEvery the position is saved at least every so many events …
 * @param saveWithin … or after so long, whichever comes first: what a crash may publish again
 * @param start where a relay that the journal does not know yet begins
 * @param waitForFlush whether an event is published only once its commit is on disk, also when its application commits with
 *     {@code synchronous_commit = off}. It costs such events up to three times {@code wal_writer_delay}
 */
public record JournalOptions(
        InstantSource clock, int saveEvery, Duration saveWithin, Start start, boolean waitForFlush) {
    public static final JournalOptions DEFAULT =
            new JournalOptions(InstantSource.system(), 10_000, Duration.ofMillis(250), Start.BEGINNING, false);

    /** Where a new relay begins. */
    public enum Start {
        /** With the oldest event the journal still has. */
        BEGINNING,
        /** With what is committed from now on. */
        NOW
    }

    public JournalOptions {
        if (saveEvery < 1 || saveWithin.isNegative()) {
            throw new IllegalArgumentException("saveEvery is " + saveEvery + " and saveWithin " + saveWithin
                    + ": use at least 1 event, and a time that is not negative.");
        }
    }

    public JournalOptions withClock(InstantSource newClock) {
        return new JournalOptions(newClock, saveEvery, saveWithin, start, waitForFlush);
    }

    public JournalOptions withSaves(int events, Duration within) {
        return new JournalOptions(clock, events, within, start, waitForFlush);
    }

    public JournalOptions startingAt(Start newStart) {
        return new JournalOptions(clock, saveEvery, saveWithin, newStart, waitForFlush);
    }

    public JournalOptions waitingForFlush() {
        return new JournalOptions(clock, saveEvery, saveWithin, start, true);
    }
}
