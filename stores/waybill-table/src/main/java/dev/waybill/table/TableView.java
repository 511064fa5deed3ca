package dev.waybill.table;

import dev.waybill.RelayName;
import java.util.Optional;

/**
 * Which rows of an outbox table a connection sees as pending.
 *
 * @param replay through whose eyes the table is seen, if it is a replay: rows of any state, and what it knows of them itself
 * @param created only rows that were created then
 */
record TableView(Optional<RelayName> replay, TimeRange created) {
    /** As the rows say. */
    static final TableView PLAIN = new TableView(Optional.empty(), TimeRange.ALWAYS);

    static TableView of(Optional<RelayName> replay) {
        return new TableView(replay, TimeRange.ALWAYS);
    }

    static TableView of(TimeRange created) {
        return new TableView(Optional.empty(), created);
    }
}
