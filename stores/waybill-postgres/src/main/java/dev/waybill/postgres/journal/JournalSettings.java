package dev.waybill.postgres.journal;

import dev.waybill.spi.support.StoreClock;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a journal.
 *
 * @param clock the time of the database, which decides when a retry or a save is due
 * @param saveEvery events after which the position is saved
 * @param saveWithin time after which the position is saved
 * @param startNow whether a new relay skips the events that are already there
 */
public record JournalSettings(
        StoreClock clock,
        int saveEvery,
        Duration saveWithin,
        boolean startNow,
        Durability durability,
        Optional<String> environment) {}
