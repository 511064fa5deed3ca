package dev.waybill.spi.transaction;

import dev.waybill.spi.RelaySession;

/**
 * A session of a relay whose position was committed by its destination before ({@link WindowSession}), and is saved by the store
 * from now on. The last writer may have left a transaction open, for which consumers of committed messages wait, and a suspended
 * process may commit one when it wakes up. Opening a writer with the same id ends both.
 */
public interface AfterWindows extends RelaySession {
    /** The origin in the id of the last writer ({@link WriterId}), as in {@link WindowSession#origin}. */
    String origin();

    /** The last writer is ended at the destination: later sessions need not end it. */
    void writerEnded();
}
