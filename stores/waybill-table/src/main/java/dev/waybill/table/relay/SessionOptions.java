package dev.waybill.table.relay;

import dev.waybill.spi.support.StoreClock;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The options of a store that its sessions need.
 *
 * @param clock the time of the database, which tells when a retry is due
 * @param nanoTime measures the time between looks back
 * @param competing whether several sessions share the rows, each with leases on those it claimed
 * @param marksDeadPublished whether a dead row is marked as published if the layout has no state for dead rows
 * @param guard the table that records every published event
 */
public record SessionOptions(
        StoreClock clock,
        LongSupplier nanoTime,
        boolean competing,
        boolean marksDeadPublished,
        Optional<String> guard) {}
