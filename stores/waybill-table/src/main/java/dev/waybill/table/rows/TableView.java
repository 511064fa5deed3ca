package dev.waybill.table.rows;

import dev.waybill.RelayName;
import java.time.Instant;
import java.util.Optional;

/**
 * Which rows of an outbox table a connection treats as pending.
 *
 * @param replay if present, rows of any state, with the side rows of this replay
 * @param createdFrom only rows that were created at this time or later
 * @param createdUntil only rows that were created before this time
 */
public record TableView(Optional<RelayName> replay, Optional<Instant> createdFrom, Optional<Instant> createdUntil) {
    /** All pending rows. */
    public static final TableView PLAIN = created(Optional.empty(), Optional.empty());

    public static TableView of(Optional<RelayName> replay) {
        return new TableView(replay, Optional.empty(), Optional.empty());
    }

    public static TableView created(Optional<Instant> from, Optional<Instant> until) {
        return new TableView(Optional.empty(), from, until);
    }
}
