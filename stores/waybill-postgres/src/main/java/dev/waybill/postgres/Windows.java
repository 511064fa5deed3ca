package dev.waybill.postgres;

import dev.waybill.spi.Limits;
import java.sql.SQLException;
import java.time.Instant;

/** What a session reads: windows of the journal, one after the other. */
interface Windows {
    /** Reads on from here: a saved position, or one that was not settled. */
    void moveTo(JournalPosition newPosition) throws SQLException;

    JournalPosition position();

    boolean betweenWindows();

    /** Whether there is another window after this one. */
    boolean goOn();

    /** @param floor where to look for due parked events; told what is found */
    WindowReader.Poll poll(Instant now, DueFloor floor) throws SQLException;

    /**
     * Opens the window up to the polled snapshot.
     *
     * @return false when it is empty without a look at the table; the snapshot is then the new base
     */
    boolean open(WindowReader.Poll poll) throws SQLException;

    /** The next page of the window; without events it need not be the last. */
    WindowReader.Page read(Limits max) throws SQLException;
}
