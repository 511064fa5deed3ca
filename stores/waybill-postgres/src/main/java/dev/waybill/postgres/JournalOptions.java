package dev.waybill.postgres;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * How a relay reads the journal.
 *
 * @param clock tells when a retry is due and a save is; leases go by the database's own clock
 * @param saveEvery the position is saved at least every so many events …
 * @param saveWithin … or after so long, whichever comes first: what a crash may publish again
 * @param start where a relay that the journal does not know yet begins
 * @param waitFor how safe a commit must be before its events are published
 * @param environment the environment this process belongs to, such as {@code production}. The first relay that names one binds
 *     the database to it; from then on relays of another environment refuse to read it. Without one nothing is checked
 */
public record JournalOptions(
        InstantSource clock,
        int saveEvery,
        Duration saveWithin,
        Start start,
        WaitFor waitFor,
        Optional<String> environment) {
    public static final JournalOptions DEFAULT = new JournalOptions(
            InstantSource.system(), 10_000, Duration.ofMillis(250), Start.BEGINNING, WaitFor.COMMIT, Optional.empty());

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
        environment.ifPresent(JournalEnvironment::requireName);
    }

    public JournalOptions withClock(InstantSource newClock) {
        return new JournalOptions(newClock, saveEvery, saveWithin, start, waitFor, environment);
    }

    public JournalOptions withSaves(int events, Duration within) {
        return new JournalOptions(clock, events, within, start, waitFor, environment);
    }

    public JournalOptions startingAt(Start newStart) {
        return new JournalOptions(clock, saveEvery, saveWithin, newStart, waitFor, environment);
    }

    public JournalOptions waitingFor(WaitFor newWaitFor) {
        return new JournalOptions(clock, saveEvery, saveWithin, start, newWaitFor, environment);
    }

    public JournalOptions inEnvironment(String name) {
        return new JournalOptions(clock, saveEvery, saveWithin, start, waitFor, Optional.of(name));
    }
}
