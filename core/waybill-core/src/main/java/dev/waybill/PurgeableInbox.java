package dev.waybill;

import dev.waybill.admin.PurgeStep;
import java.time.Duration;

/**
 * An inbox that keeps its records until they are deleted. Those in Redis and MongoDB expire by themselves and do not implement
 * this.
 *
 * @param <T> the transaction
 */
public interface PurgeableInbox<T> extends Inbox<T> {

    /** How long an event can be delivered again: younger records must be kept. */
    Duration replayWindow();

    /**
     * Deletes some records of this consumer that are older than the given age, oldest first. Records of other consumers and the
     * last versions of entities stay.
     *
     * @param consumer as in {@link #handleOnce}
     * @param olderThan by the database's clock; not less than {@link #replayWindow()}
     * @param atMost maximum number of records deleted
     * @throws InboxException when the inbox could not be written; roll the transaction back
     */
    PurgeStep purge(T transaction, String consumer, Duration olderThan, int atMost);
}
