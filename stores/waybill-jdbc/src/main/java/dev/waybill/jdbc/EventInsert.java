package dev.waybill.jdbc;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** How events become rows. */
interface EventInsert {
    /**
     * @throws InvalidEventException when there is no place for what the event carries; the message has the remedy
     */
    void requireStorable(Event event);

    /** Inserts all, or none. */
    void append(Connection transaction, List<Event> events) throws SQLException, DuplicateEventException;

    /**
     * Inserts those whose ids are new.
     *
     * @return how many
     */
    int appendIfAbsent(Connection transaction, List<Event> events) throws SQLException;
}
