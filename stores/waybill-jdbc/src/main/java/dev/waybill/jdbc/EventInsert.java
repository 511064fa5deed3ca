package dev.waybill.jdbc;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Inserts events as rows. */
interface EventInsert {
    /**
     * @throws InvalidEventException if the table cannot store the event; the message names the remedy
     */
    void requireStorable(Event event);

    /** Inserts all events or none. */
    void append(Connection transaction, List<Event> events) throws SQLException, DuplicateEventException;

    /**
     * Inserts events whose ids are new.
     *
     * @return number of inserted events
     */
    int appendIfAbsent(Connection transaction, List<Event> events) throws SQLException;
}
