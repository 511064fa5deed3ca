package dev.waybill.postgres.relay;

import java.sql.SQLException;

/** Something that is written in the transaction that saves a relay's position, so that the two always agree. */
interface SavedWithPosition {
    boolean isDue();

    void write() throws SQLException;

    /** What was written is committed. */
    void committed();
}
