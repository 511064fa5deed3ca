package dev.waybill.tck.inbox;

import dev.waybill.Inbox;
import dev.waybill.PurgeableInbox;
import dev.waybill.spi.Transactions;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;

/**
 * An empty inbox for one run, whose calls can be made to fail, with a place where effects can be seen.
 *
 * @param <T> the transaction
 */
public interface InboxFaultHarness<T> extends AutoCloseable {
    Inbox<T> inbox();

    /** As a consumer uses them; their calls can fail, too. */
    Transactions<T> transactions();

    /** Leaves one effect of that name, in the transaction. The call can fail as those of the inbox. */
    void leaveEffect(T transaction, String name) throws Exception;

    /** How many committed effects of that name there are. Does not fail. */
    int effects(String name);

    FaultInjection faults();

    /** What was left behind that ought not to be: connections that were given back within a transaction. */
    List<String> leftovers();

    /** Whether an effect and its record are kept together; if not, a handler that fails halfway leaves half of its effect. */
    boolean keepsEffectsTogether();

    /** Whether it keeps several consumers apart. */
    boolean takesSeveralConsumers();

    /** Whether it can refuse versions that are not newer. */
    boolean guardsVersions();

    /** Those that died at work are taken for dead from now on, where an inbox waits for that. */
    void giveUpTheDead();

    /** Everything that is recorded was recorded long ago; called for a {@link PurgeableInbox} only. */
    void makeOld();

    @Override
    void close();
}
