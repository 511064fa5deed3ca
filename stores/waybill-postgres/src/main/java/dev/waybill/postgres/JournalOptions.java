package dev.waybill.postgres;

import dev.waybill.postgres.journal.JournalEnvironment;
import dev.waybill.postgres.journal.JournalSettings;
import dev.waybill.spi.support.StoreClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Options of a journal. Immutable: each setter returns a copy. */
public final class JournalOptions {
    private static final JournalOptions DEFAULTS = new JournalOptions(
            () -> StoreClock.following(InstantSource.system(), System::nanoTime),
            10_000,
            Duration.ofMillis(250),
            Start.BEGINNING,
            WaitFor.COMMIT,
            Optional.empty());

    private final Supplier<StoreClock> clock;
    private final int saveEvery;
    private final Duration saveWithin;
    private final Start start;
    private final WaitFor waitFor;
    private final Optional<String> environment;

    /** Where a new relay begins. */
    public enum Start {
        /** At the oldest event in the journal. */
        BEGINNING,
        /** After the events that are committed now. */
        NOW
    }

    private JournalOptions(
            Supplier<StoreClock> clock,
            int saveEvery,
            Duration saveWithin,
            Start start,
            WaitFor waitFor,
            Optional<String> environment) {
        if (saveEvery < 1 || saveWithin.isNegative()) {
            throw new IllegalArgumentException("saveEvery is " + saveEvery + " and saveWithin " + saveWithin
                    + ": use at least 1 event, and a time that is not negative.");
        }
        environment.ifPresent(JournalEnvironment::requireName);
        this.clock = clock;
        this.saveEvery = saveEvery;
        this.saveWithin = saveWithin;
        this.start = start;
        this.waitFor = waitFor;
        this.environment = environment;
    }

    public static JournalOptions defaults() {
        return DEFAULTS;
    }

    /** Decides when a retry or a save is due, instead of the database's clock, which leases use. */
    JournalOptions clock(InstantSource source) {
        return new JournalOptions(() -> StoreClock.same(source), saveEvery, saveWithin, start, waitFor, environment);
    }

    /** The clock of this process. */
    JournalOptions ownClock(InstantSource source) {
        return new JournalOptions(
                () -> StoreClock.following(source, System::nanoTime),
                saveEvery,
                saveWithin,
                start,
                waitFor,
                environment);
    }

    /** Events after which the position is saved: at most so many are published again after a crash. */
    public int saveEvery() {
        return saveEvery;
    }

    public JournalOptions saveEvery(int events) {
        return new JournalOptions(clock, events, saveWithin, start, waitFor, environment);
    }

    /** Time after which the position is saved if fewer than {@link #saveEvery()} events were published. */
    public Duration saveWithin() {
        return saveWithin;
    }

    public JournalOptions saveWithin(Duration time) {
        return new JournalOptions(clock, saveEvery, time, start, waitFor, environment);
    }

    /** Where a new relay begins. */
    public Start start() {
        return start;
    }

    public JournalOptions start(Start newRelays) {
        return new JournalOptions(clock, saveEvery, saveWithin, newRelays, waitFor, environment);
    }

    /** How safe a commit must be before its events are published. */
    public WaitFor waitFor() {
        return waitFor;
    }

    public JournalOptions waitFor(WaitFor durability) {
        return new JournalOptions(clock, saveEvery, saveWithin, start, durability, environment);
    }

    /**
     * The environment of this process, such as {@code production}. The first relay with an environment binds the database to
     * it; from then on relays of another environment refuse to read it. Without one nothing is checked.
     */
    public Optional<String> environment() {
        return environment;
    }

    public JournalOptions environment(String name) {
        return new JournalOptions(clock, saveEvery, saveWithin, start, waitFor, Optional.of(name));
    }

    JournalSettings settings() {
        return new JournalSettings(
                clock.get(), saveEvery, saveWithin, start == Start.NOW, waitFor.durability(), environment);
    }
}
