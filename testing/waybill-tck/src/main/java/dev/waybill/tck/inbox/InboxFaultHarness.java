package dev.waybill.tck.inbox;

import dev.waybill.Inbox;
import dev.waybill.PurgeableInbox;
import dev.waybill.Transactions;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;

/**
 * An empty inbox for one run, whose calls can be made to fail, with observable effects.
 *
 * @param <T> the transaction
 */
public interface InboxFaultHarness<T> extends AutoCloseable {
    Inbox<T> inbox();

    /** The transactions that a consumer uses; their calls can fail too. */
    Transactions<T> transactions();

    /** Makes one effect with that name in the transaction. The call can fail like those of the inbox. */
    void leaveEffect(T transaction, String name) throws Exception;

    /** Number of committed effects with that name. Does not fail. */
    int effects(String name);

    FaultInjection faults();

    /** Leaks: connections that were returned within a transaction. */
    List<String> leftovers();

    /** Whether an effect and its record are atomic; if not, a handler that fails halfway leaves half of its effect. */
    boolean keepsEffectsTogether();

    /** Whether the inbox supports several consumers. */
    boolean takesSeveralConsumers();

    /** Whether the inbox can refuse versions that are not newer. */
    boolean guardsVersions();

    /** Lets the entries of crashed consumers expire, if an inbox waits for that. */
    void giveUpTheDead();

    /** Makes all recorded entries old; called only for a {@link PurgeableInbox}. */
    void makeOld();

    @Override
    void close();
}
