package dev.waybill.postgres.journal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The options of a journal.
 *
 * @param clock decides when a retry or a save is due
 * @param saveEvery events after which the position is saved
 * @param saveWithin time after which the position is saved
 * @param startNow whether a new relay skips the events that are already there
 */
public record JournalSettings(
        InstantSource clock,
        int saveEvery,
        Duration saveWithin,
        boolean startNow,
        Durability durability,
        Optional<String> environment) {}
