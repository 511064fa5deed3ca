package dev.waybill.admin;

import dev.waybill.RelayName;
import dev.waybill.spi.EventStore;
import java.util.List;
import java.util.Optional;

/**
 * Sends stored events again. A replay is a separate relay that is kept in the store under its name: it has a lease, parks failed
 * events under that name, can be paused and dropped like any relay, and continues after a restart of its process. It sends the
 * events that matched its query and were committed when it started, in order, each once, and then ends. The state of other
 * relays does not change. Safe for use by many threads.
 */
public interface ReplayAdmin {
    /** Number of events that a replay would send if it started now. */
    ReplaySize preview(ReplayQuery query);

    /**
     * Starts a replay: from now on, retention keeps its unsent events. They are sent by a process that opens it in {@link #store}.
     *
     * @throws dev.waybill.spi.StoreRefusedException if a relay or a replay of that name exists
     */
    ReplayStatus start(RelayName name, ReplayQuery query, Actor by);

    /** All replays that were not dropped, including ended ones. */
    List<ReplayStatus> replays();

    Optional<ReplayStatus> replay(RelayName name);

    /**
     * Ends a replay early. If no process runs it, it ends at once. Otherwise its session claims nothing more, settles the events
     * in flight, and ends it; until then it is {@link ReplayStatus.State#CANCELLING}. If that process crashes, call this again
     * after its lease has expired.
     *
     * @return its status now; empty if it does not exist
     */
    Optional<ReplayStatus> cancel(RelayName name, Actor by);

    /** The store as seen by replays. It opens only replays that were started. */
    EventStore store();
}
