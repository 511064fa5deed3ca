package dev.waybill.table.relay;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The options of a store that its sessions need.
 *
 * @param clock tells when a retry is due; leases use the database's clock
 * @param nanoTime measures the time between looks back
 * @param competing whether several sessions share the rows, each with leases on those it claimed
 * @param marksDeadPublished whether a dead row is marked as published if the layout has no state for dead rows
 * @param guard the table that records every published event
 */
public record SessionOptions(
        InstantSource clock,
        LongSupplier nanoTime,
        boolean competing,
        boolean marksDeadPublished,
        Optional<String> guard) {}
