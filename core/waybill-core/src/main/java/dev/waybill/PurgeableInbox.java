package dev.waybill;

import dev.waybill.admin.PurgeStep;
import java.time.Duration;

/**
 * An inbox that keeps what was handled until somebody deletes it. One that forgets by itself, as those in Redis and MongoDB,
 * is none.
 *
 * @param <T> the transaction
 */
public interface PurgeableInbox<T> extends Inbox<T> {

    /** How long an event may come again: what is younger is not to be forgotten. */
    Duration replayWindow();

    /**
     * Forgets some of what this consumer handled longer ago than this, oldest first; what other consumers handled stays, and so
     * do the last versions of entities.
     *
     * @param consumer as in {@link #handleOnce}
     * @param olderThan by the database's clock; not less than {@link #replayWindow()}
     * @param atMost how many one step deletes
     * @throws InboxException when the inbox could not be written; roll the transaction back
     */
    PurgeStep purge(T transaction, String consumer, Duration olderThan, int atMost);
}
